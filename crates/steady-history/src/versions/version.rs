//! A version of a file, cut into lines.

use std::ops::Range;

use xxhash_rust::xxh3::Xxh3;

use crate::versions::lines::{LONGEST, Lines, small};

/// A version of a file, as numbers of its lines.
#[derive(Debug, Default)]
pub(crate) struct Cut {
    numbers: Vec<u32>,
    kept: Vec<u32>,
    print: u64,
}

impl Cut {
    pub(crate) fn new(numbers: Vec<u32>, lines: &Lines) -> Self {
        let is_kept = |&(_, &number): &(usize, &u32)| lines.is_kept(number);
        let kept = numbers.iter().enumerate().filter(is_kept).map(|(index, _)| small(index));
        let kept = kept.collect::<Vec<_>>();
        let mut print = Xxh3::new();
        for &index in &kept {
            print.update(&lines.hash(numbers[index as usize]).to_le_bytes());
        }
        Self { numbers, kept, print: print.digest() }
    }

    /// The version, with access to the text of its lines.
    pub(crate) fn version<'a>(&'a self, lines: &'a Lines) -> Version<'a> {
        Version { numbers: &self.numbers, kept: &self.kept, print: self.print, lines }
    }
}

/// A version of a file. Lines are compared without indentation and line ends: reindenting changes nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Version<'a> {
    numbers: &'a [u32],
    /// The indices of the kept lines, in order.
    pub(crate) kept: &'a [u32],
    /// A hash over the kept lines: versions that agree need no comparison.
    pub(crate) print: u64,
    lines: &'a Lines,
}

impl<'a> Version<'a> {
    /// The text of a line, by its place from 0.
    pub(crate) fn line(&self, index: u32) -> &'a str {
        self.numbers.get(index as usize).map_or("", |&number| self.lines.text(number))
    }

    /// The hash of a line, without indentation.
    pub(crate) fn hash(&self, index: u32) -> u64 {
        self.numbers.get(index as usize).map_or(0, |&number| self.lines.hash(number))
    }

    /// How many lines it has.
    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The hashes of these lines, without indentation.
    pub(crate) fn hashes(&self, lines: Range<usize>) -> impl ExactSizeIterator<Item = u64> {
        self.numbers[lines].iter().map(|&number| self.lines.hash(number))
    }

    /// How many lines at the top are equal in another version.
    pub(crate) fn common_start(&self, other: &Self) -> usize {
        self.numbers.iter().zip(other.numbers).take_while(|(one, two)| self.is_equal(**one, **two)).count()
    }

    /// How many lines at the bottom are equal.
    pub(crate) fn common_end(&self, other: &Self) -> usize {
        let pairs = self.numbers.iter().rev().zip(other.numbers.iter().rev());
        pairs.take_while(|(one, two)| self.is_equal(**one, **two)).count()
    }

    fn is_equal(&self, one: u32, two: u32) -> bool {
        one == two || self.lines.hash(one) == self.lines.hash(two)
    }

    /// A line's index among the kept lines.
    pub(crate) fn ordinal(&self, index: u32) -> Option<u32> {
        self.kept.binary_search(&index).ok().map(small)
    }

    /// Whether any of these lines is kept.
    pub(crate) fn keeps(&self, lines: &Range<u32>) -> bool {
        let first = self.kept.partition_point(|line| *line < lines.start);
        self.kept.get(first).is_some_and(|line| *line < lines.end)
    }

    /// The two lines above one, the nearer first.
    pub(crate) fn above(&self, index: u32) -> [Option<String>; 2] {
        [1, 2].map(|distance| {
            let line = self.line(index.checked_sub(distance)?);
            Some(line[..line.floor_char_boundary(LONGEST)].to_owned())
        })
    }

    /// The share of lines that two files have in common, between 0 and 1, in any order.
    pub(crate) fn likeness(&self, other: &Self) -> f64 {
        let sorted = |version: &Self| {
            let mut hashes = version.hashes(0..version.len()).collect::<Vec<_>>();
            hashes.sort_unstable();
            hashes
        };
        let (one, two) = (sorted(self), sorted(other));
        let (mut left, mut right, mut common) = (0, 0, 0_usize);
        while let (Some(a), Some(b)) = (one.get(left), two.get(right)) {
            common += usize::from(a == b);
            left += usize::from(a <= b);
            right += usize::from(b <= a);
        }
        let all = one.len() + two.len();
        if all == 0 { 1.0 } else { 2.0 * common as f64 / all as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, lines: &mut Lines) -> Cut {
        let numbers =
            text.split_inclusive('\n').map(|line| lines.number(line.as_bytes(), |line| line.contains('1')));
        Cut::new(numbers.collect(), lines)
    }

    #[test]
    fn line_ends_and_indentation_say_nothing() {
        let mut lines = Lines::default();
        let (unix, windows) = (cut("a\n  b(1)\nc 1", &mut lines), cut("a\r\n\tb(1)\r\nc 1\r\n", &mut lines));
        let (unix, windows) = (unix.version(&lines), windows.version(&lines));
        assert!(unix.hashes(0..3).eq(windows.hashes(0..3)));
        assert_eq!((unix.print, unix.kept), (windows.print, [1, 2].as_slice()));
        assert_eq!((windows.line(1), windows.line(9)), ("\tb(1)", ""));
    }

    #[test]
    fn likeness_counts_common_lines() {
        let likeness = |one: &str, two: &str| {
            let mut lines = Lines::default();
            let (one, two) = (cut(one, &mut lines), cut(two, &mut lines));
            one.version(&lines).likeness(&two.version(&lines))
        };
        assert!((likeness("a\nb\n", "b\na\nc\nd\n") - 4.0 / 6.0).abs() < 1e-9);
        assert!((likeness("", "") - 1.0).abs() < 1e-9);
        assert!(likeness("a\na\n", "a\n") < 0.7);
    }
}
