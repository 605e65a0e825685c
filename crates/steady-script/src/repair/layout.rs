//! How a file is laid out: lines, indentation, semicolons, arrows.

use super::outline::{Kind, Outline};
use crate::Span;
use crate::lines::Lines;

/// The text of a file and where its lines are.
pub(super) struct Layout<'t> {
    pub(super) text: &'t str,
    pub(super) lines: Lines,
}

impl<'t> Layout<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { text, lines: Lines::of(text) }
    }

    /// The text of a line of the file without its ending.
    pub(super) fn line(&self, line: usize) -> &'t str {
        self.lines.span(self.text, line).map_or("", |span| self.slice(span))
    }

    pub(super) fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// The byte behind the last one of a byte's line, without the line ending.
    pub(super) fn line_end(&self, byte: usize) -> usize {
        self.lines.span(self.text, self.lines.line(byte)).map_or(self.text.len(), |span| span.end)
    }

    fn line_start(&self, byte: usize) -> usize {
        self.lines.span(self.text, self.lines.line(byte)).map_or(0, |span| span.start)
    }

    /// The white space before the first sign of a byte's line.
    pub(super) fn indentation(&self, byte: usize) -> &'t str {
        let line = &self.text[self.line_start(byte)..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Whether a byte is the first sign of its line.
    pub(super) fn begins_line(&self, byte: usize) -> bool {
        self.text[self.line_start(byte)..byte].trim().is_empty()
    }

    /// Whether nothing but white space and comments stands between a byte and the end of its line, all of which end there.
    pub(super) fn ends_line(&self, byte: usize, outline: &Outline) -> bool {
        let end = self.line_end(byte);
        let mut at = byte;
        while at < end {
            match outline.comments.iter().find(|comment| comment.start == at) {
                Some(comment) if comment.end <= end => at = comment.end,
                Some(_) => return false,
                None if self.text[at..].starts_with([' ', '\t']) => at += 1,
                None => return false,
            }
        }
        true
    }

    /// The line ending of the file.
    pub(super) fn newline(&self) -> &'static str {
        let first = self.text.find('\n');
        if first.is_some_and(|at| self.text[..at].ends_with('\r')) { "\r\n" } else { "\n" }
    }

    /// Whether statements end with a semicolon: the statement at hand if it could tell, or most of the file's.
    pub(super) fn has_semicolons(&self, outline: &Outline) -> bool {
        let simple = outline
            .statements
            .iter()
            .filter(|statement| matches!(statement.kind, Kind::Simple | Kind::Leaving));
        let (with, without): (Vec<_>, Vec<_>) =
            simple.partition(|statement| self.slice(statement.span).ends_with(';'));
        with.len() >= without.len()
    }

    /// Whether an arrow's only parameter is written in brackets.
    pub(super) fn has_arrow_brackets(&self, outline: &Outline) -> bool {
        let arrows = outline
            .functions
            .iter()
            .filter(|function| function.is_arrow)
            .map(|function| self.slice(function.span));
        let (mut with, mut without) = (0, 0);
        for arrow in arrows {
            let arrow = arrow.strip_prefix("async").map_or(arrow, str::trim_start);
            let Some(head) = arrow.split("=>").next().map(str::trim) else { continue };
            match head.strip_prefix('(') {
                Some(inside)
                    if inside
                        .trim_end_matches(')')
                        .trim()
                        .chars()
                        .all(|sign| sign.is_alphanumeric() || sign == '_') =>
                {
                    with += usize::from(inside.trim() != ")");
                }
                Some(_) => {}
                None => without += 1,
            }
        }
        with > without
    }
}
