//! What an `expect(…)` demands.

use oxc_ast::ast::{Argument, Expression};
use steady_edit::Span;

use crate::chain::links_of;
use crate::parse::byte_span::ByteSpan;

/// What an `expect(…)` demands: `expect(await page.textContent('#total')).toBe('42')`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assertion {
    /// The last method of what it is about: `textContent`.
    pub read: String,
    /// How it is compared: `toBe`.
    pub matcher: String,
    /// With what: `'42'`.
    pub expected: Option<Span>,
}

impl Assertion {
    pub(crate) fn of(expression: &Expression<'_>) -> Option<Self> {
        let links = links_of(expression);
        // `expect(…).not.…` demands the contrary.
        let [expect, matcher] = links.as_slice() else { return None };
        let subject = expect.arguments?.first().and_then(Argument::as_expression)?;
        let expected = matcher.arguments?.first().map(ByteSpan::byte_span);
        (expect.name == "expect").then(|| Self {
            read: links_of(subject).last().map(|link| link.name.to_owned()).unwrap_or_default(),
            matcher: matcher.name.to_owned(),
            expected,
        })
    }
}
