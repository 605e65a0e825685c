//! From the parser's spans to steady's.

use oxc_span::GetSpan;
use steady_edit::Span;

/// What has a place in the text: the parser's nodes and spans.
pub trait ByteSpan {
    /// Its place, in bytes.
    fn byte_span(&self) -> Span;
}

impl<T: GetSpan + ?Sized> ByteSpan for T {
    fn byte_span(&self) -> Span {
        let span = self.span();
        Span { start: span.start as usize, end: span.end as usize }
    }
}
