//! Cuts files into lines. What a version shares with the one seen before under the same name was cut already.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use crate::versions::lines::Lines;
use crate::versions::version::Cut;

/// So many bytes are compared at a time.
const BLOCK: usize = 256;
/// A line that is not the next one of the version before is looked for among so many after it.
const AHEAD: usize = 64;

/// Cuts one version after the other.
#[derive(Debug, Default)]
pub(crate) struct Cutter {
    pub(crate) lines: Lines,
    /// The version seen last, by the name of its file.
    last: IndexMap<PathBuf, Seen>,
}

/// A version, and where its lines end.
#[derive(Debug, Default)]
struct Seen {
    content: Vec<u8>,
    ends: Vec<usize>,
    numbers: Vec<u32>,
}

impl Cutter {
    /// Cuts a version of a file; `keep` says which lines are to be followed, given without indentation.
    pub(crate) fn cut(&mut self, path: &Path, content: Vec<u8>, keep: impl Fn(&str) -> bool) -> Cut {
        let before = self.last.get_mut(path).map(std::mem::take).unwrap_or_default();
        let (above, below) = before.common(&content);
        let (mut ends, mut numbers) = (before.ends[..above].to_vec(), before.numbers[..above].to_vec());

        let bottom = before.content.len() - before.end(below);
        let mut expected = &before.numbers[above..below];
        let mut rest = &content[before.end(above)..content.len() - bottom];
        while !rest.is_empty() {
            let is_next = |&(next, _): &(&u32, &[u32])| is_line(rest, self.lines.text(*next));
            let (number, length) = match expected.split_first().filter(is_next) {
                Some((&next, after)) => {
                    expected = after;
                    (next, self.lines.text(next).len() + 1)
                }
                None => {
                    let length =
                        rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |end| end + 1);
                    let number = self.lines.number(&rest[..length], &keep);
                    let ahead = expected.iter().take(AHEAD).position(|&next| next == number);
                    expected = &expected[ahead.map_or(0, |ahead| ahead + 1)..];
                    (number, length)
                }
            };
            rest = &rest[length..];
            ends.push(content.len() - bottom - rest.len());
            numbers.push(number);
        }
        let longer = content.len().wrapping_sub(before.content.len());
        ends.extend(before.ends[below..].iter().map(|end| end.wrapping_add(longer)));
        numbers.extend_from_slice(&before.numbers[below..]);
        let cut = Cut::new(numbers.clone(), &self.lines);
        self.last.insert(path.to_owned(), Seen { content, ends, numbers });
        cut
    }
}

impl Seen {
    /// Where the first so many lines end.
    fn end(&self, lines: usize) -> usize {
        lines.checked_sub(1).map_or(0, |last| self.ends[last])
    }

    /// How many lines at the top another version has too, and from which on it has those at the bottom.
    fn common(&self, other: &[u8]) -> (usize, usize) {
        let equal = common_start(&self.content, other);
        let above = self.ends.partition_point(|end| *end <= equal);
        // A last line without an end goes on in the other version, if that is longer.
        let above = above - usize::from(above > 0 && self.content[self.end(above) - 1] != b'\n');
        let top = self.end(above);
        let (one, two) = (&self.content[top..], &other[top..]);
        let start = self.content.len() - common_end(one, two);
        // The line that begins right there may begin earlier in the other version.
        let below = self.ends.partition_point(|end| *end <= start) + 1;
        (above, below.clamp(above, self.ends.len()))
    }
}

/// Whether this line is the next.
fn is_line(rest: &[u8], line: &str) -> bool {
    rest.strip_prefix(line.as_bytes()).is_some_and(|after| after.first() == Some(&b'\n'))
}

/// How much of the beginning is the same.
fn common_start(one: &[u8], two: &[u8]) -> usize {
    let blocks = one.chunks_exact(BLOCK).zip(two.chunks_exact(BLOCK));
    let equal = BLOCK * blocks.take_while(|(one, two)| one == two).count();
    let rest = one[equal..].iter().zip(&two[equal..]);
    equal + rest.take_while(|(one, two)| one == two).count()
}

/// How much of the end is the same.
fn common_end(one: &[u8], two: &[u8]) -> usize {
    let blocks = one.rchunks_exact(BLOCK).zip(two.rchunks_exact(BLOCK));
    let equal = BLOCK * blocks.take_while(|(one, two)| one == two).count();
    let rest = one[..one.len() - equal].iter().rev().zip(two[..two.len() - equal].iter().rev());
    equal + rest.take_while(|(one, two)| one == two).count()
}

#[cfg(test)]
mod tests {
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    const FILE: &str = "a.ts";

    fn cut(cutter: &mut Cutter, content: &str) -> Vec<String> {
        let cut = cutter.cut(Path::new(FILE), content.into(), |line| line.contains('1'));
        let version = cut.version(&cutter.lines);
        (0..).take(version.len()).map(|line| version.line(line).to_owned()).collect()
    }

    #[test]
    fn lines_are_the_same_whatever_was_cut_before() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let mut cutter = Cutter::default();
        let mut text = String::new();
        for _ in 0..2000 {
            let pieces =
                ["", "\n", "\r\n", "a", "b1\n", "a\na\na\n", "é", "a long line, longer than a block is\n"];
            let piece = pieces[random.random_range(0..pieces.len())];
            let ends = [0, 1].map(|_| text.floor_char_boundary(random.random_range(0..=text.len().min(300))));
            text.replace_range(
                ends[0].min(ends[1])..ends[0].max(ends[1]),
                &piece.repeat(random.random_range(1..4)),
            );
            let found = cut(&mut cutter, &text);
            assert_eq!(found, cut(&mut Cutter::default(), &text), "{text:?}");
            let expected = text.split_inclusive('\n').map(|line| line.trim_end_matches(['\n', '\r']));
            assert!(expected.eq(found), "{text:?}");
        }
    }

    #[test]
    fn a_line_is_asked_about_once() {
        let mut cutter = Cutter::default();
        let asked = std::cell::Cell::new(0);
        let keep = |_: &str| {
            asked.set(asked.get() + 1);
            true
        };
        for content in ["a\nb\n", "a\nc\nb\n", "b\nb\na"] {
            cutter.cut(Path::new(FILE), content.into(), keep);
        }
        assert_eq!(asked.get(), 3);
    }
}
