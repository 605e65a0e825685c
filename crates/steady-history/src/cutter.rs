//! Cuts files into lines. What a version shares with the one seen before under the same name was cut already.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::lines::Lines;
use crate::version::Cut;

/// So many bytes are compared at a time.
const BLOCK: usize = 64;

/// Cuts one version after the other.
#[derive(Debug, Default)]
pub(crate) struct Cutter {
    pub(crate) lines: Lines,
    /// The version seen last, by the name of its file.
    last: BTreeMap<PathBuf, (Vec<u8>, Vec<u32>)>,
}

impl Cutter {
    /// Cuts a version of a file; `keep` says which lines are to be followed, given without indentation.
    pub(crate) fn cut(&mut self, path: &Path, content: Vec<u8>, keep: impl Fn(&str) -> bool) -> Cut {
        let (before, known) = self.last.remove(path).unwrap_or_default();
        let (top, bottom) = common(&before, &content);
        let (above, below) = (count(&content[..top]), count(&content[content.len() - bottom..]));
        let changed = content[top..content.len() - bottom].split_inclusive(|&byte| byte == b'\n');
        let mut numbers = Vec::with_capacity(known.len());
        numbers.extend_from_slice(&known[..above]);
        numbers.extend(changed.map(|line| self.lines.number(line, &keep)));
        numbers.extend_from_slice(&known[known.len() - below..]);
        let cut = Cut::new(numbers.clone(), &self.lines);
        self.last.insert(path.to_owned(), (content, numbers));
        cut
    }
}

/// How much of two files is the same at the top and at the bottom, in bytes of whole lines.
fn common(one: &[u8], two: &[u8]) -> (usize, usize) {
    let is_end = |byte: &u8| *byte == b'\n';
    let blocks = one.chunks_exact(BLOCK).zip(two.chunks_exact(BLOCK));
    let equal = BLOCK * blocks.take_while(|(one, two)| one == two).count();
    let rest = one[equal..].iter().zip(&two[equal..]);
    let equal = equal + rest.take_while(|(one, two)| one == two).count();
    let top = two[..equal].iter().rposition(is_end).map_or(0, |end| end + 1);

    let (one, two) = (&one[top..], &two[top..]);
    let blocks = one.rchunks_exact(BLOCK).zip(two.rchunks_exact(BLOCK));
    let equal = BLOCK * blocks.take_while(|(one, two)| one == two).count();
    let rest = one[..one.len() - equal].iter().rev().zip(two[..two.len() - equal].iter().rev());
    let equal = equal + rest.take_while(|(one, two)| one == two).count();
    let equal = &two[two.len() - equal..];
    let bottom = equal.iter().position(is_end).map_or(0, |end| equal.len() - end - 1);
    (top, bottom)
}

/// How many lines there are; the last may lack its end.
fn count(lines: &[u8]) -> usize {
    let ends = lines.iter().filter(|&&byte| byte == b'\n').count();
    ends + usize::from(lines.last().is_some_and(|&byte| byte != b'\n'))
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
        (0..).zip(version.hashes()).map(|(line, _)| version.line(line).to_owned()).collect()
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
