//! Edits of a text by span.

use crate::syntax::Span;

/// One change of a text: what stands at a span, and what shall stand there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The span in the text as it was, in bytes.
    pub span: std::ops::Range<usize>,
    /// The new text.
    pub text: String,
}

/// The text with edits made; edits at one point in their order. None when they overlap.
pub(crate) fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    let mut result =
        String::with_capacity(text.len() + edits.iter().map(|edit| edit.text.len()).sum::<usize>());
    let mut at = 0;
    for edit in edits {
        result.push_str(text.get(at..edit.span.start)?);
        result.push_str(&edit.text);
        at = edit.span.end;
    }
    result.push_str(text.get(at..)?);
    Some(result)
}

/// Where a span of the old text lies in the new one, with what was put at its ends.
pub(crate) fn moved(span: &Span, edits: &[Edit]) -> Span {
    let shift = |at: usize, inclusive: bool| {
        let mut moved = at;
        for edit in edits {
            if edit.span.end < at || (inclusive && edit.span.end <= at) {
                moved = moved + edit.text.len() - edit.span.len();
            }
        }
        moved
    };
    shift(span.start, false)..shift(span.end, true)
}
