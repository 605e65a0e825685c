//! Edits of a text by span.

use crate::Span;

/// One change of a text: what stands at a span is replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The span in the text as it was.
    pub span: Span,
    /// The new text.
    pub text: String,
}

impl Edit {
    /// Replaces what stands at a span.
    pub fn new(span: impl Into<Span>, text: impl Into<String>) -> Self {
        Self { span: span.into(), text: text.into() }
    }

    /// Inserts text before a byte.
    pub fn insert(at: usize, text: impl Into<String>) -> Self {
        Self::new(Span::empty(at), text)
    }

    /// Deletes what stands at a span.
    pub fn delete(span: impl Into<Span>) -> Self {
        Self::new(span, "")
    }
}

/// Edits that cannot all be made; none is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// Two edits replace the same bytes.
    #[error("two edits overlap at byte {at}")]
    Overlap {
        /// The first byte that both replace.
        at: usize,
    },
    /// A span ends after the text, begins after its own end, or cuts a character.
    #[error("no text stands at bytes {} to {}", span.start, span.end)]
    NoText {
        /// The span.
        span: Span,
    },
}

/// The text with edits made, in whatever order they are given. All other bytes stay.
///
/// Edits may touch and may not overlap. Insertions at one byte appear in the order given, before what replaces the text that
/// begins there.
///
/// # Errors
///
/// If edits overlap, or one speaks of bytes that the text does not have.
pub fn apply(text: &str, edits: &[Edit]) -> Result<String, EditError> {
    let mut ordered: Vec<&Edit> = edits.iter().collect();
    ordered.sort_by_key(|edit| edit.span);
    let grown: usize = edits.iter().map(|edit| edit.text.len()).sum();
    let mut result = String::with_capacity(text.len() + grown);
    let mut at = 0;
    for Edit { span, text: new } in ordered {
        span.get(text).ok_or(EditError::NoText { span: *span })?;
        if span.start < at {
            return Err(EditError::Overlap { at: span.start });
        }
        result.push_str(&text[at..span.start]);
        result.push_str(new);
        at = span.end;
    }
    result.push_str(&text[at..]);
    Ok(result)
}

/// Where a span of the old text lies in the new one, with what was inserted at its ends.
pub fn moved(span: Span, edits: &[Edit]) -> Span {
    let shift = |at: usize, inclusive: bool| {
        let mut moved = at;
        for edit in edits {
            if edit.span.end < at || (inclusive && edit.span.end <= at) {
                moved = moved + edit.text.len() - edit.span.len();
            }
        }
        moved
    };
    Span { start: shift(span.start, false), end: shift(span.end, true) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_made_in_the_order_of_the_text() {
        let edits = [Edit::new(4..7, "2"), Edit::insert(0, "a"), Edit::insert(0, "b"), Edit::delete(1..2)];
        assert_eq!(apply("0123456789", &edits).as_deref(), Ok("ab0232789"));
    }

    #[test]
    fn an_insertion_stands_before_what_replaces_the_text_there() {
        let edits = [Edit::new(1..2, "X"), Edit::insert(1, "<"), Edit::insert(2, ">")];
        assert_eq!(apply("abc", &edits).as_deref(), Ok("a<X>c"));
    }

    #[test]
    fn edits_that_overlap_are_refused() {
        let edits = [Edit::new(0..3, "x"), Edit::new(2..4, "y")];
        assert_eq!(apply("abcdef", &edits), Err(EditError::Overlap { at: 2 }));
        let inside = [Edit::new(0..3, "x"), Edit::insert(1, "y")];
        assert_eq!(apply("abcdef", &inside), Err(EditError::Overlap { at: 1 }));
    }

    #[test]
    fn an_edit_of_what_is_not_there_is_refused() {
        for span in [Span::new(2, 9), Span::new(0, 1), Span::new(3, 2)] {
            assert_eq!(apply("éa", &[Edit::new(span, "")]), Err(EditError::NoText { span }));
        }
    }

    #[test]
    fn spans_move_with_the_edits_before_them() {
        let text = "one two three";
        let edits =
            [Edit::new(0..3, "first"), Edit::insert(4, "<"), Edit::insert(7, ">"), Edit::new(8..13, "3")];
        let new = apply(text, &edits).unwrap();
        assert_eq!(&new[moved(Span::of(text, "two").unwrap(), &edits)], "<two>");
    }
}
