//! Edits of a text by span.

use crate::Span;

/// One change of a text: what stands at a span, and what shall stand there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The span in the text as it was, in bytes.
    pub span: Span,
    /// The new text.
    pub text: String,
}

impl Edit {
    pub(super) fn insert(at: usize, text: String) -> Self {
        Self { span: Span { start: at, end: at }, text }
    }
}

/// The text with edits made, which are in order and do not overlap.
pub(super) fn apply(text: &str, edits: &[Edit]) -> String {
    let mut result =
        String::with_capacity(text.len() + edits.iter().map(|edit| edit.text.len()).sum::<usize>());
    let mut at = 0;
    for edit in edits {
        result.push_str(text.get(at..edit.span.start).unwrap_or_default());
        result.push_str(&edit.text);
        at = edit.span.end;
    }
    result.push_str(text.get(at..).unwrap_or_default());
    result
}

/// The line of the new text on which the first edit that says a length is made, from 1.
pub(super) fn line(old: &str, edits: &[Edit]) -> usize {
    let says = |edit: &&Edit| edit.text.contains(|sign: char| sign.is_ascii_digit());
    let Some(edit) = edits.iter().find(says) else { return 1 };
    let above =
        edits.iter().take_while(|other| *other != edit).map(|other| breaks(&other.text)).sum::<usize>();
    let length = edit.text.find(|sign: char| sign.is_ascii_digit()).unwrap_or_default();
    1 + above + breaks(&old[..edit.span.start]) + breaks(&edit.text[..length])
}

fn breaks(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}
