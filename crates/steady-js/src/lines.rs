//! Bytes, lines and columns of a text.

use crate::Span;

/// Where the lines of a text begin.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    pub(crate) fn of(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1));
        Self { starts }
    }

    /// The line of a byte, from 1. A byte behind the text is on the last line.
    pub(crate) fn line(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte)
    }

    /// The column of a byte, from 1, in UTF-16 code units as V8 counts them.
    pub(crate) fn column(&self, text: &str, byte: usize) -> usize {
        let start = self.starts[self.line(byte) - 1];
        text.get(start..byte).map_or(1, |before| before.encode_utf16().count() + 1)
    }

    /// The bytes of a line, without its line ending.
    pub(crate) fn span(&self, text: &str, line: usize) -> Option<Span> {
        let start = *self.starts.get(line.checked_sub(1)?)?;
        let end = self.starts.get(line).map_or(text.len(), |next| next - 1);
        let end = if end > start && text.as_bytes()[end - 1] == b'\r' { end - 1 } else { end };
        Some(Span { start, end })
    }

    /// How many lines there are.
    pub(crate) fn count(&self) -> usize {
        self.starts.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_in_utf16_units() {
        let text = "a\n😀é b";
        let lines = Lines::of(text);
        let b = text.find('b').unwrap();
        assert_eq!((lines.line(b), lines.column(text, b)), (2, 5));
    }

    #[test]
    fn a_carriage_return_belongs_to_the_line_ending() {
        let text = "one\r\ntwo\r\n";
        let lines = Lines::of(text);
        let span = lines.span(text, 1).unwrap();
        assert_eq!(&text[span.start..span.end], "one");
        assert_eq!(lines.line(text.find("two").unwrap()), 2);
        assert_eq!((lines.count(), lines.span(text, 3)), (3, Some(Span { start: 10, end: 10 })));
        assert_eq!((lines.span(text, 0), lines.span(text, 4)), (None, None));
    }
}
