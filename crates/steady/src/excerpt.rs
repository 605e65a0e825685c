//! A place in a file, to be shown with a caret under it.

use std::ops::Range;
use std::path::Path;

/// The line a problem is in, and where in the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The file, as the user named it.
    pub origin: String,
    /// The line's number, from one.
    pub line_number: usize,
    /// The line.
    pub line: String,
    /// The bytes of the line that are meant.
    pub span: Range<usize>,
    /// What is wrong with them, in a few words.
    pub label: String,
}

impl Excerpt {
    /// The place of a byte range of `source`; only its first line is shown.
    pub fn of_span(origin: &Path, source: &str, span: Range<usize>, label: impl Into<String>) -> Self {
        let start = floor_boundary(source, span.start);
        let line_start = source[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = source[start..].find('\n').map_or(source.len(), |newline| start + newline);
        let line = source[line_start..line_end].trim_end_matches('\r');
        let start = (start - line_start).min(line.len());
        let end = floor_boundary(source, span.end).saturating_sub(line_start).clamp(start, line.len());
        Self {
            origin: origin.display().to_string(),
            line_number: source[..line_start].matches('\n').count() + 1,
            line: line.to_owned(),
            span: start..end,
            label: label.into(),
        }
    }

    /// The place of a line and a column, both from one; the column counts characters.
    pub fn of_position(
        origin: &Path,
        source: &str,
        line: usize,
        column: usize,
        label: impl Into<String>,
    ) -> Self {
        let offset: usize = source.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
        let text = source[offset..].lines().next().unwrap_or_default();
        let (start, character) =
            text.char_indices().nth(column.saturating_sub(1)).unwrap_or((text.len(), ' '));
        let word = text[start..]
            .find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
            .unwrap_or(text.len() - start);
        let length = if word > 0 { word } else { character.len_utf8().min(text.len() - start) };
        Self::of_span(origin, source, offset + start..offset + start + length, label)
    }
}

fn floor_boundary(text: &str, index: usize) -> usize {
    let index = index.min(text.len());
    (0..=index).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_shown_within_its_line() {
        let excerpt = Excerpt::of_span(Path::new("a.toml"), "x = 1\nürl = 2\r\n", 6..10, "here");
        assert_eq!((excerpt.line_number, excerpt.line.as_str(), excerpt.span), (2, "ürl = 2", 0..4));
    }

    #[test]
    fn a_position_marks_the_word_that_begins_there() {
        let excerpt = Excerpt::of_position(Path::new("a.yaml"), "a: 1\n  type: strng\n", 2, 9, "here");
        assert_eq!((excerpt.line_number, &excerpt.line[excerpt.span.clone()]), (2, "strng"));
    }

    #[test]
    fn places_beyond_the_end_are_shown_at_the_end() {
        let cases = ["", "a", "a\n", "é"];
        for source in cases {
            let excerpt = Excerpt::of_span(Path::new("a"), source, 90..99, "");
            assert!(excerpt.span.end <= excerpt.line.len(), "{source:?}");
            let excerpt = Excerpt::of_position(Path::new("a"), source, 9, 9, "");
            assert!(excerpt.span.end <= excerpt.line.len(), "{source:?}");
        }
    }
}
