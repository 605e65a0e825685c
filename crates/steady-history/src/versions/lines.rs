//! The lines of all versions, each stored once: a version differs little from the one before.

use indexmap::IndexMap;
use xxhash_rust::xxh3::xxh3_64;

/// A line longer than this is data or generated, in bytes.
pub(crate) const LONGEST: usize = 1000;

/// Lines, by their number in order of appearance.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    known: IndexMap<Box<str>, Line>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Line {
    hash: u64,
    is_kept: bool,
}

impl Lines {
    /// The number of a line, given as it is in the file, line end included.
    pub(crate) fn number(&mut self, line: &[u8], keep: impl Fn(&str) -> bool) -> u32 {
        let text = String::from_utf8_lossy(said(line));
        if let Some(number) = self.known.get_index_of(text.as_ref()) {
            return small(number);
        }
        let trimmed = text.trim();
        let line =
            Line { hash: xxh3_64(trimmed.as_bytes()), is_kept: text.len() <= LONGEST && keep(trimmed) };
        small(self.known.insert_full(text.into(), line).0)
    }

    /// The text of a line, with its indentation.
    pub(crate) fn text(&self, number: u32) -> &str {
        self.known.get_index(number as usize).map_or("", |(text, _)| text)
    }

    /// The hash of its text, without indentation.
    pub(crate) fn hash(&self, number: u32) -> u64 {
        self.line(number).hash
    }

    /// Whether it is followed.
    pub(crate) fn is_kept(&self, number: u32) -> bool {
        self.line(number).is_kept
    }

    fn line(&self, number: u32) -> Line {
        self.known.get_index(number as usize).map_or_else(Line::default, |(_, line)| *line)
    }
}

/// A line without its end.
fn said(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r'));
    &line[..end.map_or(0, |end| end + 1)]
}

/// The size limits keep every count below this.
pub(crate) fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
