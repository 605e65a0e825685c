//! A file as it was once, cut into lines.

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// A line longer than this is data or generated, in bytes.
const LONGEST: usize = 1000;

/// A file as it was once. Lines are compared without their indentation and line ends: to reindent is to change nothing.
#[derive(Debug, Default)]
pub(crate) struct Version {
    text: String,
    /// Where each line begins and ends.
    lines: Vec<(u32, u32)>,
    /// What each line says, without indentation.
    pub(crate) hashes: Vec<u64>,
    /// The lines that are followed through time, in order, by their place from 0.
    pub(crate) kept: Vec<u32>,
    /// What the kept lines say, all together: two versions that agree need no comparison.
    pub(crate) print: u64,
}

impl Version {
    pub(crate) fn new(content: &[u8], keep: impl Fn(&str) -> bool) -> Self {
        let text = String::from_utf8_lossy(content).into_owned();
        let mut version = Self::default();
        let mut print = Xxh3::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let said = line.trim_end_matches(['\n', '\r']);
            let hash = xxh3_64(said.trim().as_bytes());
            if said.len() <= LONGEST && keep(said.trim()) {
                version.kept.push(small(version.lines.len()));
                print.update(&hash.to_le_bytes());
            }
            version.lines.push((small(start), small(start + said.len())));
            version.hashes.push(hash);
            start += line.len();
        }
        Self { text, print: print.digest(), ..version }
    }

    /// The text of a line, by its place from 0.
    pub(crate) fn line(&self, index: u32) -> &str {
        let (start, end) = self.lines.get(index as usize).copied().unwrap_or_default();
        &self.text[start as usize..end as usize]
    }

    /// A line's place among the kept ones.
    pub(crate) fn ordinal(&self, index: u32) -> Option<u32> {
        self.kept.binary_search(&index).ok().map(small)
    }

    /// The two lines above one, the nearer first.
    pub(crate) fn above(&self, index: u32) -> [Option<String>; 2] {
        [1, 2].map(|distance| {
            let line = self.line(index.checked_sub(distance)?);
            Some(line[..line.floor_char_boundary(LONGEST)].to_owned())
        })
    }

    /// How much two files have in common, between 0 and 1, whatever the order.
    pub(crate) fn likeness(&self, other: &Self) -> f64 {
        let sorted = |version: &Self| {
            let mut hashes = version.hashes.clone();
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

/// Files have at most two megabytes, so that every place in them fits.
pub(crate) fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        Version::new(text.as_bytes(), |line| line.contains('1'))
    }

    #[test]
    fn line_ends_and_indentation_say_nothing() {
        let (unix, windows) = (version("a\n  b(1)\nc 1"), version("a\r\n\tb(1)\r\nc 1\r\n"));
        assert_eq!(unix.hashes, windows.hashes);
        assert_eq!((unix.print, &unix.kept), (windows.print, &vec![1, 2]));
        assert_eq!((windows.line(1), windows.line(9)), ("\tb(1)", ""));
    }

    #[test]
    fn likeness_counts_common_lines() {
        assert!((version("a\nb\n").likeness(&version("b\na\nc\nd\n")) - 4.0 / 6.0).abs() < 1e-9);
        assert!((version("").likeness(&version("")) - 1.0).abs() < 1e-9);
        assert!(version("a\na\n").likeness(&version("a\n")) < 0.7);
    }
}
