//! Bytes, lines and columns of a text.

use crate::Span;

/// Where the lines of a text begin.
#[derive(Debug, Clone, Default)]
pub struct LineIndex {
    /// The first byte of every line but the first one, which begins at 0.
    starts: Vec<usize>,
}

impl LineIndex {
    /// The index of a text. A line ends with `\n`; the text after the last one is a line too.
    pub fn new(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self { starts: breaks.map(|(at, _)| at + 1).collect() }
    }

    /// The line of a byte, from 1. A byte after the text is on the last line.
    pub fn line(&self, byte: usize) -> usize {
        1 + self.starts.partition_point(|start| *start <= byte)
    }

    /// Where the line of a byte begins.
    pub fn line_start(&self, byte: usize) -> usize {
        self.start(self.line(byte)).unwrap_or_default()
    }

    /// The column of a byte, from 1, in UTF-16 code units as V8 and SARIF count them.
    pub fn column_utf16(&self, text: &str, byte: usize) -> usize {
        let before = text.get(self.line_start(byte)..byte).unwrap_or_default();
        before.encode_utf16().count() + 1
    }

    /// The bytes of a line, from 1, without its line ending.
    pub fn span(&self, text: &str, line: usize) -> Option<Span> {
        let start = self.start(line)?;
        let end = self.starts.get(line - 1).map_or(text.len(), |next| next - 1);
        let end = if end > start && text.as_bytes()[end - 1] == b'\r' { end - 1 } else { end };
        Some(Span { start, end })
    }

    /// How many lines there are: at least one.
    pub fn count(&self) -> usize {
        self.starts.len() + 1
    }

    fn start(&self, line: usize) -> Option<usize> {
        match line {
            0 => None,
            1 => Some(0),
            line => self.starts.get(line - 2).copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_in_utf16_units() {
        let text = "a\n😀é b";
        let lines = LineIndex::new(text);
        let b = text.find('b').unwrap();
        assert_eq!((lines.line(b), lines.column_utf16(text, b), lines.line_start(b)), (2, 5, 2));
    }

    #[test]
    fn a_carriage_return_belongs_to_the_line_ending() {
        let text = "one\r\ntwo\r\n";
        let lines = LineIndex::new(text);
        let span = lines.span(text, 1).unwrap();
        assert_eq!(&text[span], "one");
        assert_eq!(lines.line(text.find("two").unwrap()), 2);
        assert_eq!((lines.count(), lines.span(text, 3)), (3, Some(Span { start: 10, end: 10 })));
        assert_eq!((lines.span(text, 0), lines.span(text, 4)), (None, None));
    }

    #[test]
    fn an_empty_text_has_one_line() {
        let lines = LineIndex::new("");
        assert_eq!((lines.count(), lines.line(0), lines.line(5)), (1, 1, 1));
        assert_eq!(lines.span("", 1), Some(Span::empty(0)));
    }
}
