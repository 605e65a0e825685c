//! The longest a test, a hook, a suite or every polling call may take.

use oxc_ast::ast::{Argument, AssignmentExpression, Expression};

use super::around::Titles;
use super::timer::GLOBALS;
use super::{Found, Site, is_function, may_be_number, runner};
use crate::facts::Facts;
use crate::facts::value::Told;
use crate::parse::byte_span::ByteSpan as _;
use crate::{Form, Kind, Unit, Wait};

pub(super) fn find(site: &Site<'_, '_>) -> Option<Found> {
    global(site).or_else(|| called(site)).or_else(|| given_to_test(site))
}

/// `jest.setTimeout(ms)`, `vi.setConfig({ testTimeout })`, `page.setDefaultTimeout(ms)`, `configure({ asyncUtilTimeout })`
fn global(site: &Site<'_, '_>) -> Option<Found> {
    let call = site.call;
    let option = |wanted: &'static str| site.facts.told_by_arguments(call.arguments(), &|key| key == wanted);
    let (kind, told) = match (call.root(), call.name()) {
        ("jest", "setTimeout") => (Kind::TestTimeout, site.length(0)),
        ("vi" | "vitest", "setConfig") => (Kind::TestTimeout, option("testTimeout")),
        ("mocha", "setup") => (Kind::TestTimeout, option("timeout")),
        ("mocha", "timeout") => (Kind::TestTimeout, site.length(0)),
        ("setDefaultTimeout", "setDefaultTimeout") => (Kind::TestTimeout, site.length(0)),
        (_, "setDefaultTimeout" | "setDefaultNavigationTimeout") => (Kind::PollTimeout, site.length(0)),
        ("configure", "configure") => (Kind::PollTimeout, option("asyncUtilTimeout")),
        ("Cypress", "config") if call.arguments().len() == 2 => (Kind::PollTimeout, site.length(1)),
        ("Cypress", "config") => (Kind::PollTimeout, option("defaultCommandTimeout")),
        (_, "setTimeouts" | "setTimeout") if !call.is_function() => (
            Kind::PollTimeout,
            site.facts.told_by_arguments(call.arguments(), &|key| {
                matches!(key, "implicit" | "pageLoad" | "script")
            }),
        ),
        _ => return None,
    };
    (told != Told::Nothing).then(|| Found::new(kind, Form::GlobalLimit, told).free())
}

/// `this.timeout(ms)`, `it(…).timeout(ms)`, `test.setTimeout(ms)`, `test.slow()`, `test.describe.configure({ timeout })`
fn called(site: &Site<'_, '_>) -> Option<Found> {
    let call = site.call;
    if call.is_function() {
        return None;
    }
    let is_of_test = call.root() == "this" || runner::is_of_runner(call, &site.facts.tests);
    let told = match call.name() {
        "timeout" if is_of_test || call.is_on(&["t"]) => site.length(0),
        "setTimeout" if !GLOBALS.contains(&call.root()) => match site.length(0) {
            told @ Told::Time(_) => told,
            told @ Told::Unreadable if call.root() == "testInfo" || site.facts.tests.has(call.root()) => told,
            _ => return None,
        },
        "configure" if is_of_test => site.option(),
        "slow" if call.root() == "test" && call.links().len() == 2 => {
            return Some(Found::new(Kind::TestTimeout, Form::LimitCall, Told::Nothing).free());
        }
        _ => return None,
    };
    (told != Told::Nothing).then(|| Found::new(Kind::TestTimeout, Form::LimitCall, told).free())
}

/// `it('…', () => {…}, ms)`, `it('…', { timeout: ms }, () => {…})`, also of hooks and of wrappers around `it`.
fn given_to_test(site: &Site<'_, '_>) -> Option<Found> {
    let call = site.call;
    let arguments = call.arguments();
    if arguments.len() < 2 {
        return None;
    }
    let function = arguments.iter().position(is_function);
    let is_titled =
        matches!(arguments.first(), Some(Argument::StringLiteral(_) | Argument::TemplateLiteral(_)));
    let is_known = runner::is_test(call, &site.facts.tests) || runner::is_holder(call, &site.facts.tests);
    let is_wrapper = !is_known
        && call.is_function()
        && is_titled
        && function == Some(1)
        && arguments.len() == 3
        && !call.name().starts_with("wait");
    // A test may also be a function that has a name: `it('…', check, ms)`.
    let place = match function {
        Some(place) if is_known || is_wrapper => place + 1,
        None if is_known && is_titled && matches!(arguments.get(1), Some(Argument::Identifier(_))) => 2,
        _ => return None,
    };
    let after =
        arguments.get(place).and_then(Argument::as_expression).filter(|length| is_limit(length, is_wrapper));
    let told = match after {
        Some(length) => site.facts.told(Some(length)),
        None if is_known => site.option(),
        None => Told::Nothing,
    };
    // `testPlatform('…', given, expected)` is a function of the project.
    let told = if function.is_none() && told == Told::Unreadable { Told::Nothing } else { told };
    (told != Told::Nothing).then(|| Found::new(Kind::TestTimeout, Form::TestLimit, told).free())
}

/// A wrapper's third argument is a limit only if it is plainly a number.
fn is_limit(length: &Expression<'_>, is_wrapper: bool) -> bool {
    if is_wrapper {
        matches!(length, Expression::NumericLiteral(number) if number.value >= 100.0)
    } else {
        may_be_number(length)
    }
}

/// `jasmine.DEFAULT_TIMEOUT_INTERVAL = ms`
pub(super) fn assigned<'a>(
    assignment: &'a AssignmentExpression<'a>,
    facts: &Facts<'a>,
    titles: &Titles<'_>,
) -> Option<Wait> {
    let member = assignment.left.as_member_expression()?;
    let (name_span, name) = member.static_property_info()?;
    if name != "DEFAULT_TIMEOUT_INTERVAL" {
        return None;
    }
    let value = facts.value(&facts.read(&assignment.right)?, Unit::Milliseconds)?;
    let at = name_span.start as usize;
    Some(Wait {
        kind: Kind::TestTimeout,
        form: Form::GlobalLimit,
        callee: name.to_owned(),
        receiver: "jasmine".to_owned(),
        value: Some(value),
        call: assignment.span.byte_span(),
        line: facts.lines.line(at),
        column: facts.lines.column_utf16(facts.text, at),
        awaited: true,
        words: Vec::new(),
        test: titles.innermost(),
    })
}
