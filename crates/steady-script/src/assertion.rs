//! What an `expect(…)` demands.

use oxc_ast::ast::{Argument, Expression, ObjectPropertyKind};
use oxc_span::GetSpan;

use crate::chain::{Link, links_of};
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

/// What tells whether an element is there to be seen.
const SHOWN: [&str; 4] = ["isVisible", "isDisplayed", "isExisting", "isPresent"];
/// Whoever demands that something is *not* this demands that it is there, or ready.
const LACKS: [&str; 5] = ["disabled", "empty", "null", "undefined", "falsy"];

/// Whether a statement demands that something is not so, or waits for that: `expect(row).toHaveCount(0)`,
/// `expect(row).not.toBeVisible()`, `cy.get('#row').should('not.exist')`, `row.waitFor({ state: 'hidden' })`.
pub(crate) fn denies(expression: &Expression<'_>) -> bool {
    let links = links_of(expression);
    let (Some(first), Some(last)) = (links.first(), links.last()) else { return false };
    let argument = |place: usize| last.arguments.and_then(|given| given.get(place)?.as_expression());
    if links.iter().any(awaits_absence) {
        return true;
    }
    if matches!(last.name, "should" | "and") {
        let demand = argument(0).and_then(text_of).unwrap_or_default();
        return match demand.strip_prefix("not.") {
            Some(what) => !LACKS.contains(&what.strip_prefix("be.").unwrap_or_default()),
            None => {
                demand == "be.hidden" || demand.ends_with("have.length") && argument(1).is_some_and(is_none)
            }
        };
    }
    let is_negated = links.iter().any(|link| link.name == "not" && link.arguments.is_none());
    first.name == "expect"
        && match last.name {
            "toBeHidden" | "toBeNull" | "toBeFalsy" => !is_negated,
            "toHaveCount" | "toHaveLength" if argument(0).is_some_and(is_none) => !is_negated,
            "toBe" | "toEqual" | "toStrictEqual" => {
                let is_shown = first.arguments.and_then(|given| given.first()?.as_expression());
                let read = is_shown.and_then(|subject| links_of(subject).last().map(|link| link.name));
                let is_no = |given: &Expression<'_>| matches!(given, Expression::BooleanLiteral(says) if says.value == is_negated);
                read.is_some_and(|read| SHOWN.contains(&read)) && argument(0).is_some_and(is_no)
            }
            name => is_negated && is_about_element(name),
        }
}

/// Whether a matcher is about what a page shows, and demands the contrary when it is negated.
fn is_about_element(matcher: &str) -> bool {
    let lacks = |what: &str| LACKS.contains(&what.to_lowercase().as_str());
    match matcher.strip_prefix("toBe") {
        Some(what) => !lacks(what),
        None => matcher.starts_with("toHave") || matches!(matcher, "toContainText" | "toExist"),
    }
}

/// `waitForSelector('.spinner', { state: 'hidden' })`, `waitForElementToBeRemoved(…)`
fn awaits_absence(link: &Link<'_>) -> bool {
    let mut given = link.arguments.into_iter().flatten().filter_map(Argument::as_expression);
    matches!(link.name, "waitForElementToBeRemoved" | "waitForElementNotPresent" | "waitForElementNotVisible")
        || link.name.starts_with("waitFor") && given.any(says_gone)
}

/// `{ state: 'hidden' }`, `{ hidden: true }`, `{ reverse: true }`
fn says_gone(expression: &Expression<'_>) -> bool {
    let Expression::ObjectExpression(object) = expression.get_inner_expression() else { return false };
    let mut properties = object.properties.iter().filter_map(ObjectPropertyKind::as_property);
    properties.any(|property| match (property.key.static_name().as_deref(), &property.value) {
        (Some("state"), value) => matches!(text_of(value), Some("hidden" | "detached")),
        (Some("hidden" | "reverse"), Expression::BooleanLiteral(is)) => is.value,
        _ => false,
    })
}

fn is_none(expression: &Expression<'_>) -> bool {
    matches!(expression, Expression::NumericLiteral(number) if number.value == 0.0)
}
