//! How a file is laid out: lines, indentation, semicolons, arrows.

use steady_edit::{LineIndex, Span};

use super::outline::{Kind, Outline};

/// The text of a file, where its lines are and what is in it.
pub(super) struct Layout<'t> {
    pub(super) text: &'t str,
    pub(super) lines: LineIndex,
    pub(super) outline: &'t Outline,
}

impl<'t> Layout<'t> {
    pub(super) fn of(text: &'t str, outline: &'t Outline) -> Self {
        Self { text, lines: LineIndex::new(text), outline }
    }

    /// The text of a line of the file without its ending.
    pub(super) fn line(&self, line: usize) -> &'t str {
        self.lines.span(self.text, line).map_or("", |span| self.slice(span))
    }

    pub(super) fn slice(&self, span: Span) -> &'t str {
        span.get(self.text).unwrap_or_default()
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

    /// Whether nothing but white space and comments stands between a byte and the end of its line, and none of the
    /// comments goes on.
    pub(super) fn ends_line(&self, byte: usize) -> bool {
        let end = self.line_end(byte);
        let mut at = byte;
        while at < end {
            match self.outline.comments.iter().find(|comment| comment.start == at) {
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

    /// What ends a statement: a semicolon, if most of the file's statements have one.
    pub(super) fn semicolon(&self) -> &'static str {
        let is_ended = |span: Span| self.slice(span).ends_with(';');
        let simple =
            self.outline.statements.iter().filter(|one| matches!(one.kind, Kind::Simple | Kind::Leaving));
        let (with, without): (Vec<_>, Vec<_>) = simple.partition(|statement| is_ended(statement.span));
        if with.len() >= without.len() { ";" } else { "" }
    }

    /// An arrow's only parameter, in brackets if most arrows of the file have them.
    pub(super) fn parameter(&self, name: &str) -> String {
        let arrows = self.outline.functions.iter().filter(|function| function.is_arrow && function.is_unary);
        let is_bracketed = |span: Span| {
            let arrow = self.slice(span);
            arrow.strip_prefix("async").map_or(arrow, str::trim_start).starts_with('(')
        };
        let (with, without): (Vec<_>, Vec<_>) = arrows.partition(|arrow| is_bracketed(arrow.span));
        if with.len() > without.len() { format!("({name})") } else { name.to_owned() }
    }
}
