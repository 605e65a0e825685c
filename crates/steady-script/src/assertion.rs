//! What an `expect(…)` demands.

use oxc_ast::ast::{Argument, Expression};
use oxc_span::GetSpan;

use crate::chain::links_of;
use crate::facts::text_of;
use crate::wait::Span;

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
        let expected = matcher.arguments?.first().map(|argument| Span::from(argument.span()));
        (expect.name == "expect").then(|| Self {
            read: links_of(subject).last().map(|link| link.name.to_owned()).unwrap_or_default(),
            matcher: matcher.name.to_owned(),
            expected,
        })
    }
}

/// Whether a statement demands that something is not so: `expect(row).toHaveCount(0)`, `expect(row).not.toBeVisible()`,
/// `cy.get('#row').should('not.exist')`. What is read once and compared is left out.
pub(crate) fn denies(expression: &Expression<'_>) -> bool {
    let links = links_of(expression);
    let (Some(first), Some(last)) = (links.first(), links.last()) else { return false };
    let given = last.arguments.and_then(|arguments| arguments.first()).and_then(Argument::as_expression);
    if matches!(last.name, "should" | "and") {
        let demand = given.and_then(text_of).unwrap_or_default();
        return demand.starts_with("not.") || demand == "be.hidden";
    }
    let is_negated = links.iter().any(|link| link.name == "not" && link.arguments.is_none());
    let is_about_element = last.name != "toBe"
        && (last.name.starts_with("toBe") || last.name.starts_with("toHave"))
        || matches!(last.name, "toContainText" | "toExist");
    let is_none = || matches!(given, Some(Expression::NumericLiteral(number)) if number.value == 0.0);
    first.name == "expect"
        && match last.name {
            "toBeHidden" | "toBeNull" | "toBeFalsy" => !is_negated,
            "toHaveCount" | "toHaveLength" if is_none() => !is_negated,
            _ => is_negated && is_about_element,
        }
}
