//! Ranges of bytes.

use std::ops::{Index, Range};

use serde::{Deserialize, Serialize};

/// A range of bytes of a text. The offsets are bytes, not characters; `&text[span]` is what stands there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to `end`, without `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The empty span before a byte.
    pub fn empty(at: usize) -> Self {
        Self { start: at, end: at }
    }

    /// Where a part of a text stands first.
    pub fn of(text: &str, part: &str) -> Option<Self> {
        let start = text.find(part)?;
        Some(Self { start, end: start + part.len() })
    }

    /// How many bytes it has.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether it has no bytes.
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Whether a byte is in it.
    pub fn contains(self, byte: usize) -> bool {
        self.start <= byte && byte < self.end
    }

    /// Whether all of another span is in it.
    pub fn covers(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two have a byte in common.
    pub fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// What stands there; none if the text ends before it, or if it cuts a character.
    pub fn get(self, text: &str) -> Option<&str> {
        text.get(self.start..self.end)
    }
}

impl From<Range<usize>> for Span {
    fn from(Range { start, end }: Range<usize>) -> Self {
        Self { start, end }
    }
}

impl From<Span> for Range<usize> {
    fn from(Span { start, end }: Span) -> Self {
        start..end
    }
}

impl Index<Span> for str {
    type Output = str;

    fn index(&self, span: Span) -> &Self {
        &self[span.start..span.end]
    }
}

impl Index<Span> for String {
    type Output = str;

    fn index(&self, span: Span) -> &str {
        &self.as_str()[span]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_bytes() {
        let text = "é = 1";
        let span = Span::of(text, "=").unwrap();
        assert_eq!((span, &text[span], span.len()), (Span::new(3, 4), "=", 1));
        assert_eq!(Span::new(1, 3).get(text), None);
    }

    #[test]
    fn spans_that_touch_do_not_overlap() {
        let (one, two) = (Span::new(0, 3), Span::new(3, 5));
        assert!(!one.overlaps(two) && !two.overlaps(one) && one.overlaps(Span::new(2, 3)));
        assert!(one.contains(2) && !one.contains(3) && one.covers(Span::empty(3)));
    }
}
