//! Calls that poll until something is so: what they are told, and those that are told nothing.

use oxc_ast::ast::{Argument, Expression, MemberExpression};

use super::{Found, Site, around, is_function, may_be_number};
use crate::chain::Call;
use crate::facts::value::Told;
use crate::framework::Framework;
use crate::statement::target::is_of_records;
use crate::{Form, Kind, Unit};

/// Commands of Cypress that retry until their default time is over.
const CYPRESS: [&str; 13] = [
    "get", "contains", "find", "visit", "wait", "request", "children", "parent", "closest", "click", "type",
    "check", "select",
];

/// What Playwright and Puppeteer do with an element once it is ready for it.
const ACTIONS: [&str; 22] = [
    "click",
    "dblclick",
    "tap",
    "fill",
    "type",
    "press",
    "pressSequentially",
    "check",
    "uncheck",
    "setChecked",
    "hover",
    "focus",
    "blur",
    "clear",
    "selectOption",
    "selectText",
    "setInputFiles",
    "dragTo",
    "dragAndDrop",
    "textContent",
    "innerText",
    "scrollIntoViewIfNeeded",
];

/// Assertions of Playwright that retry, beside all whose name begins with `toHaveAccessible`.
const ASSERTIONS: [&str; 27] = [
    "toBeAttached",
    "toBeChecked",
    "toBeDisabled",
    "toBeEditable",
    "toBeEmpty",
    "toBeEnabled",
    "toBeFocused",
    "toBeHidden",
    "toBeInViewport",
    "toBeVisible",
    "toContainClass",
    "toContainText",
    "toHaveAttribute",
    "toHaveClass",
    "toHaveCount",
    "toHaveCSS",
    "toHaveId",
    "toHaveJSProperty",
    "toHaveRole",
    "toHaveScreenshot",
    "toHaveText",
    "toHaveTitle",
    "toHaveURL",
    "toHaveValue",
    "toHaveValues",
    "toMatchAriaSnapshot",
    "toPass",
];

/// A smaller number that a function of the project is given counts something else.
const SHORTEST: f64 = 50.0;

/// Functions of Testing Library, whose promises are known to be promises.
const FUNCTIONS: [&str; 6] = [
    "waitFor",
    "waitForElement",
    "waitForElementToBeRemoved",
    "waitForDomChange",
    "waitForNextUpdate",
    "waitForValueToChange",
];

pub(super) fn find(site: &Site<'_, '_>) -> Option<Found> {
    let call = site.call;
    let unit = if call.root() == "I" { Unit::Seconds } else { Unit::Milliseconds };
    let polling = |form: Form, told: Told| Found::new(Kind::PollTimeout, form, told).counting(unit);
    match site.option() {
        Told::Nothing => {}
        told if is_polling(call) || is_cypress(call) => {
            return Some(queued(site, polling(Form::TimeoutOption, told)));
        }
        // The last family lists it.
        _ => return None,
    }
    if let Some(told) = by_place(site) {
        return Some(queued(site, polling(Form::TimeoutArgument, told)));
    }
    if is_cypress(call) && CYPRESS.contains(&call.name()) {
        return Some(polling(Form::TimeoutOption, Told::Nothing).free());
    }
    let form = if is_selenium_wait(call) { Form::TimeoutArgument } else { Form::TimeoutOption };
    let waits = is_polling(call) || is_selenium_wait(call) || is_assertion(site) || is_action(site);
    waits.then(|| queued(site, polling(form, Told::Nothing)))
}

/// Cypress, CodeceptJS and Nightwatch queue their commands; so does WebdriverIO where no function is `async`.
fn queued(site: &Site<'_, '_>, found: Found) -> Found {
    let call = site.call;
    let is_nightwatch = call.name().starts_with("waitForElement") && !call.is_function();
    let is_queue = is_cypress(call)
        || is_nightwatch
        || call.is_on(&["this", "client", "api"])
        || matches!(call.root(), "I" | "casper" | "waitsFor" | "AbortSignal");
    let is_synchronous =
        matches!(call.root(), "browser" | "client" | "$" | "element") && !around::is_async(site.ancestors);
    if is_queue || is_synchronous || is_unknown(call) || is_page_object(site) { found.free() } else { found }
}

/// A function of the project may do anything, and give back anything.
fn is_unknown(call: &Call<'_>) -> bool {
    let is_own = call.is_function() || call.is_on(&["this"]);
    is_own && !FUNCTIONS.contains(&call.name()) && !call.name().starts_with("find")
}

/// A method of an object of the project, in code that awaits nothing: commands of Cypress that have a name are called so.
fn is_page_object(site: &Site<'_, '_>) -> bool {
    let call = site.call;
    let frameworks = site.facts.frameworks.iter();
    let mut awaited = frameworks.filter(|one| one.has_page() && **one != Framework::Cypress);
    let is_known =
        matches!(call.root(), "page" | "frame" | "screen" | "browser" | "driver" | "vi" | "expect");
    awaited.next().is_none()
        && !is_known
        && !call.name().starts_with("find")
        && !call.is_function()
        && !around::is_async(site.ancestors)
}

fn is_cypress(call: &Call<'_>) -> bool {
    call.root() == "cy" && !call.is_function()
}

/// Names that say it: `findByText`, `waitFor`, `waitForSelector`, `waitUntil`, `poll`, `eventually`.
fn is_polling(call: &Call<'_>) -> bool {
    let name = call.name();
    // `event.waitUntil(promise)` keeps a service worker alive.
    if matches!(call.root(), "event" | "e") {
        return false;
    }
    // `dispatcher.waitFor([token])` orders callbacks.
    if is_of_records(name) || matches!(call.argument(0), Some(Expression::ArrayExpression(_))) {
        return false;
    }
    let is_upper = |rest: &str| rest.starts_with(|sign: char| sign.is_ascii_uppercase());
    let goes_on = |prefix: &str| name.strip_prefix(prefix).is_some_and(is_upper);
    goes_on("findBy")
        || goes_on("findAllBy")
        || (goes_on("waitFor") && name != "waitForTimeout")
        || goes_on("waitUntil")
        || goes_on("waitWhile")
        || matches!(name, "waitFor" | "waitsFor" | "waitUntil" | "eventually" | "toPass")
        || (name == "poll" && call.root() == "expect")
}

/// `driver.wait(until.…)`, `browser.wait(EC.…)`: a wait for something that is no number.
fn is_selenium_wait(call: &Call<'_>) -> bool {
    let is_condition = matches!(
        call.argument(0).map(Expression::get_inner_expression),
        Some(
            Expression::CallExpression(_)
                | Expression::ArrowFunctionExpression(_)
                | Expression::FunctionExpression(_)
                | Expression::AwaitExpression(_)
                | Expression::NewExpression(_)
        )
    );
    call.name() == "wait" && !call.is_function() && !is_cypress(call) && is_condition
}

/// `expect(locator).toBeVisible()` of Playwright: assertions that only fail when time is over.
fn is_assertion(site: &Site<'_, '_>) -> bool {
    let name = site.call.name();
    let retries = name.starts_with("toHaveAccessible") || ASSERTIONS.contains(&name);
    let subject = site.call.links()[0]
        .arguments
        .and_then(|arguments| arguments.first())
        .and_then(Argument::as_expression);
    site.call.root() == "expect"
        && !site.call.is_function()
        && retries
        && Framework::is_here(Framework::Playwright, site.facts)
        && subject.is_some_and(is_locator)
}

/// Whether an expression is an element of a page rather than a value read from it.
fn is_locator(subject: &Expression<'_>) -> bool {
    let subject = subject.get_inner_expression();
    let last = match subject {
        Expression::CallExpression(call) => call.callee_name(),
        Expression::Identifier(id) => Some(id.name.as_str()),
        other => other.as_member_expression().and_then(MemberExpression::static_property_name),
    };
    last.is_some_and(|name| is_element(name) || name == "page" || name.ends_with("Locator"))
}

fn is_element(name: &str) -> bool {
    matches!(name, "locator" | "first" | "last" | "nth" | "filter" | "frameLocator" | "$" | "$$")
        || name.starts_with("getBy")
}

/// `page.click('#a')`, `locator.fill('x')`
fn is_action(site: &Site<'_, '_>) -> bool {
    let call = site.call;
    let is_driven = Framework::is_here(Framework::Playwright, site.facts)
        || Framework::is_here(Framework::Puppeteer, site.facts);
    // Keys and clicks of the page as a whole wait for no element.
    let is_bare = call.passes(|name| matches!(name, "keyboard" | "mouse" | "touchscreen" | "element"));
    is_driven && ACTIONS.contains(&call.name()) && !call.is_function() && is_on_page(call) && !is_bare
}

/// Whether a method is called on a page or on an element of one.
pub(super) fn is_on_page(call: &Call<'_>) -> bool {
    call.passes(|name| {
        matches!(name, "page" | "frame" | "locator" | "popup")
            || name.ends_with("Locator")
            || is_element(name)
    })
}

/// A time limit that is told by its place: behind a condition, a selector or a function.
fn by_place(site: &Site<'_, '_>) -> Option<Told> {
    let call = site.call;
    if call.name() == "timeout" && call.root() == "AbortSignal" {
        return Some(site.length(0)).filter(|told| *told != Told::Nothing);
    }
    // Detox: `waitFor(element).toBeVisible().withTimeout(ms)`.
    if call.name() == "withTimeout" && call.root() == "waitFor" {
        return Some(site.length(0)).filter(|told| *told != Told::Nothing);
    }
    if !is_polling(call) && !is_selenium_wait(call) && !matches!(call.name(), "retry" | "poll" | "retryUntil")
    {
        return None;
    }
    // `waitForResponse(urlOrPredicate)` and the like take no number first.
    let later = call.arguments().iter().skip(1).filter(|argument| !is_function(argument));
    let least = if is_unknown(call) { SHORTEST } else { 0.0 };
    let number = later.filter_map(Argument::as_expression).find(|argument| is_time(site, argument, least))?;
    Some(site.facts.told(Some(number)))
}

fn is_time<'a>(site: &Site<'_, 'a>, argument: &'a Expression<'a>, least: f64) -> bool {
    may_be_number(argument) && site.facts.read(argument).is_some_and(|reading| reading.number >= least)
}
