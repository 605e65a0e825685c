//! What a statement checks: every `expect(…)`, `assert…` and `.should(…)` in it.

use oxc_ast::ast::{Argument, ArrowFunctionBody, CallExpression, Expression, ObjectPropertyKind, Statement};
use oxc_syntax::operator::UnaryOperator;
use steady_edit::Span;

use crate::chain::{Link, links_of};
use crate::facts::text_of;
use crate::parse::byte_span::ByteSpan;
use crate::statement::target::is_of_records;

/// A check in a statement, also one in a function that the statement is given: `waitFor(() => expect(row).toBeVisible())`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// All of it.
    pub span: Span,
    /// How it compares: `toBe`, `equal`, `be.visible`.
    pub matcher: String,
    /// What it is about: `await rows.count()`.
    pub subject: Option<Span>,
    /// What it compares with: `3`.
    pub expected: Option<Span>,
    /// Whether it is negated by `not`.
    pub negated: bool,
    /// Whether it is a negative assertion, one that something is absent: `expect(row).toHaveCount(0)`, `expect(save).not.toHaveBeenCalled()`.
    pub asserts_absence: bool,
}

/// What tells whether an element is there to be seen.
const SHOWN: [&str; 6] = ["isVisible", "isDisplayed", "isExisting", "isPresent", "exists", "isOpen"];
/// Whoever demands that something is *not* this demands that it is there, or ready.
const LACKS: [&str; 7] = ["disabled", "empty", "null", "undefined", "falsy", "hidden", "false"];
/// Properties and methods of chai and others that demand absence by their name.
const ABSENT: [&str; 16] = [
    "false",
    "null",
    "undefined",
    "empty",
    "isFalse",
    "isNull",
    "isUndefined",
    "isEmpty",
    "isNotOk",
    "notOk",
    "notCalled",
    "notInclude",
    "doesNotMatch",
    "doesNotThrow",
    "falsy",
    "notExists",
];

impl Check {
    /// The check that a call is.
    pub(crate) fn of_call(node: &CallExpression<'_>) -> Option<Self> {
        let links = crate::chain::links_of_call(node);
        Self::of_links(&links, node.span.byte_span())
    }

    /// The check that an expression is without being a call: `expect(spy).to.not.have.been.called`.
    pub(crate) fn of_property(expression: &Expression<'_>) -> Option<Self> {
        let links = links_of(expression);
        let last = links.last()?;
        (last.arguments.is_none()).then(|| Self::of_links(&links, expression.byte_span())).flatten()
    }

    fn of_links(links: &[Link<'_>], span: Span) -> Option<Self> {
        let (first, last) = (links.first()?, links.last()?);
        let negated = links.iter().any(|link| link.name == "not" && link.arguments.is_none());
        let given = |link: &Link<'_>, place: usize| {
            link.arguments.and_then(|given| given.get(place)).map(ByteSpan::byte_span)
        };
        let made = |matcher: &str, subject, expected, asserts_absence| {
            Some(Self { span, matcher: matcher.to_owned(), subject, expected, negated, asserts_absence })
        };
        if links.iter().any(awaits_absence) {
            return made(last.name, None, None, true);
        }
        if matches!(last.name, "should" | "and") && last.arguments.is_some() {
            let demand = last.arguments.and_then(|given| given.first()?.as_expression()).and_then(text_of);
            let demand = demand.unwrap_or_default();
            return made(demand, None, given(last, 1), asserts_absence_by_text(demand, last));
        }
        if first.name == "expect" && links.len() > 1 {
            let asserts_absence = match last.arguments {
                Some(_) => asserts_absence(links, negated),
                None if negated => !LACKS.contains(&last.name),
                None => ABSENT.contains(&last.name),
            };
            return made(last.name, given(first, 0), given(last, 0), asserts_absence);
        }
        if is_assert(links) && last.arguments.is_some() {
            let is_no = |place: usize| {
                let argument = last.arguments.and_then(|given| given.get(place)?.as_expression());
                argument.is_some_and(is_nothing)
            };
            let is_not =
                last.arguments.and_then(|given| given.first()?.as_expression()).is_some_and(is_negation);
            let asserts_absence = match last.name {
                "equal" | "strictEqual" | "deepEqual" | "deepStrictEqual" | "is" | "same" => is_no(1),
                "assert" | "ok" | "true" | "truthy" | "isTrue" | "isOk" => is_not,
                name => ABSENT.contains(&name),
            };
            return made(last.name, given(last, 0), given(last, 1), asserts_absence);
        }
        let asserts_absence = says_absence(last.name);
        (last.arguments.is_some() && asserts_absence).then(|| made(last.name, None, None, true)).flatten()
    }
}

/// `assert(…)`, `assert.equal(…)`, `sinon.assert.notCalled(…)`, `t.is(…)`
fn is_assert(links: &[Link<'_>]) -> bool {
    match links {
        [only] => only.name == "assert",
        [.., holder, _] => {
            holder.name == "assert" || (links.len() == 2 && matches!(holder.name, "t" | "assert"))
        }
        [] => false,
    }
}

/// Functions of a project whose name says that they check for absence: `expectNoErrors(page)`, `assertRowNotVisible()`.
fn says_absence(name: &str) -> bool {
    let is_check = ["expect", "assert", "verify", "check", "should", "ensure"].iter().any(|verb| {
        name.strip_prefix(verb).is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_uppercase()))
    });
    is_check
        && ["No", "Not", "Never", "Absent", "Absence", "Gone", "Hidden", "Unchanged", "Without"].iter().any(
            |word| {
                name.match_indices(word).any(|(at, found)| {
                    !name[at + found.len()..].starts_with(|sign: char| sign.is_ascii_lowercase())
                })
            },
        )
}

/// Whether `.should('…')` of Cypress asserts that something is absent.
fn asserts_absence_by_text(demand: &str, link: &Link<'_>) -> bool {
    let second = || link.arguments.and_then(|given| given.get(1)?.as_expression());
    match demand.strip_prefix("not.") {
        Some(what) => !LACKS.contains(&what.strip_prefix("be.").unwrap_or_default()),
        None => {
            matches!(demand, "be.hidden" | "be.empty" | "be.null" | "be.undefined" | "be.false")
                || (["length", "value", "text", "eq", "equal"].iter().any(|end| demand.ends_with(end))
                    && second().is_some_and(is_nothing))
        }
    }
}

/// Whether the matcher of an `expect(…)` makes it a negative assertion.
fn asserts_absence(links: &[Link<'_>], negated: bool) -> bool {
    let (Some(first), Some(last)) = (links.first(), links.last()) else { return false };
    let argument = last.arguments.and_then(|given| given.first()?.as_expression());
    let subject = first.arguments.and_then(|given| given.first()?.as_expression());
    match last.name {
        // A query throws where there is no such element.
        "toThrow" | "toThrowError" | "throw" | "throws" if subject.is_some_and(looks_up) => !negated,
        "toBeHidden" | "toBeNull" | "toBeFalsy" | "toBeUndefined" | "toBeEmpty" | "toBeEmptyDOMElement" => {
            !negated
        }
        "toBe"
        | "toEqual"
        | "toStrictEqual"
        | "equal"
        | "eql"
        | "equals"
        | "eq"
        | "toHaveText"
        | "toHaveValue"
        | "toHaveCount"
        | "toHaveLength"
        | "lengthOf"
        | "length"
        | "toHaveBeenCalledTimes"
        | "toBeCalledTimes"
            if !negated =>
        {
            argument.is_some_and(is_nothing)
        }
        "toBe" | "toEqual" | "toStrictEqual" | "equal" | "eql" | "equals" | "eq" => {
            let read = subject.and_then(|subject| links_of(subject).last().map(|link| link.name));
            let is_yes =
                |given: &Expression<'_>| matches!(given, Expression::BooleanLiteral(says) if says.value);
            read.is_some_and(|read| SHOWN.contains(&read)) && argument.is_some_and(is_yes)
        }
        // `toHaveAttribute('aria-expanded', 'false')`
        "toHaveAttribute" | "toHaveCSS" if !negated => {
            let value = last.arguments.and_then(|given| given.get(1)?.as_expression()).and_then(text_of);
            matches!(value, Some("false" | "hidden" | "none" | "0" | "closed"))
        }
        name => negated && is_about_presence(name),
    }
}

/// Whether an expression is a function that only looks an element up: `() => screen.getByText('x')`, `() => getRowByName('x')`.
fn looks_up(expression: &Expression<'_>) -> bool {
    let only = |statements: &[Statement<'_>]| match statements {
        [Statement::ExpressionStatement(only)] => is_lookup(&only.expression),
        [Statement::ReturnStatement(only)] => only.argument.as_ref().is_some_and(is_lookup),
        _ => false,
    };
    match expression.get_inner_expression() {
        Expression::ArrowFunctionExpression(arrow) => match &arrow.body {
            ArrowFunctionBody::FunctionBody(body) => only(&body.statements),
            body => is_lookup(body.to_expression()),
        },
        Expression::FunctionExpression(function) => {
            function.body.as_ref().is_some_and(|body| only(&body.statements))
        }
        _ => false,
    }
}

fn is_lookup(expression: &Expression<'_>) -> bool {
    let links = links_of(expression);
    let looked_up = links.iter().rev().find(|link| link.arguments.is_some());
    looked_up.is_some_and(|link| {
        link.name.starts_with("get") && link.name.contains("By") && !is_of_records(link.name)
    })
}

/// Whether a matcher is about what is there, and demands the contrary when it is negated.
fn is_about_presence(matcher: &str) -> bool {
    let lacks = |what: &str| LACKS.contains(&what.to_lowercase().as_str());
    match matcher.strip_prefix("toBe") {
        Some(what) => !lacks(what),
        None => {
            matcher.starts_with("toHave")
                || matcher.starts_with("toMatch")
                || matches!(
                    matcher,
                    "toContainText"
                        | "toContain"
                        | "toContainEqual"
                        | "toExist"
                        | "toThrow"
                        | "include"
                        | "contain"
                        | "called"
                        | "calledWith"
                        | "exist"
                        | "throw"
                        | "emit"
                )
        }
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

/// `0`, `false`, `null`, `undefined`, `''`, `[]`
fn is_nothing(expression: &Expression<'_>) -> bool {
    match expression.get_inner_expression() {
        Expression::NumericLiteral(number) => number.value == 0.0,
        Expression::BooleanLiteral(says) => !says.value,
        Expression::NullLiteral(_) => true,
        Expression::StringLiteral(text) => text.value.is_empty(),
        Expression::ArrayExpression(array) => array.elements.is_empty(),
        Expression::Identifier(id) => id.name == "undefined",
        _ => false,
    }
}

fn is_negation(expression: &Expression<'_>) -> bool {
    matches!(expression.get_inner_expression(), Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::LogicalNot)
}
