//! The sleeps of the frameworks: `waitForTimeout`, `cy.wait(ms)`, `browser.pause`, `driver.sleep`.

use oxc_ast::ast::Expression;

use super::{Found, Site, around};
use crate::chain::names_of;
use crate::facts::value::Told;
use crate::framework::Framework;
use crate::{Form, Kind, Unit};

/// The methods that may sleep.
const NAMES: [&str; 5] = ["waitForTimeout", "waitFor", "wait", "pause", "sleep"];

/// What a page is called on which an old `waitFor(ms)` sleeps.
const PAGES: [&str; 4] = ["page", "frame", "popup", "tab"];

pub(super) fn find(site: &Site<'_, '_>) -> Option<Found> {
    let call = site.call;
    if call.is_function() || !NAMES.contains(&call.name()) {
        return None;
    }
    let length = site.length(0);
    let is_told = length != Told::Nothing;
    let in_async = around::is_async(site.ancestors);
    let in_nightwatch = Framework::is_here(Framework::Nightwatch, site.facts)
        || call.is_on(&["this", "api"])
        || call.is_on(&["this"]);
    let found = match call.name() {
        // Nightwatch sets a time limit for its suites so.
        "waitForTimeout" if call.is_on(&["this"]) && !in_async => return None,
        "waitForTimeout" => Found::new(Kind::Sleep, Form::WaitForTimeout, length),
        "waitFor" if is_told && PAGES.contains(&call.root()) => {
            Found::new(Kind::Sleep, Form::WaitForTimeout, length)
        }
        "wait" if is_told && call.root() == "cy" => Found::new(Kind::Sleep, Form::CyWait, length).free(),
        // CodeceptJS counts in seconds and queues its steps.
        "wait" if is_told && call.root() == "I" => {
            Found::new(Kind::Sleep, Form::Pause, length).counting(Unit::Seconds).free()
        }
        "wait" if call.root() == "Atomics" => {
            return Some(Found::new(Kind::Sleep, Form::Pause, site.length(3)).free())
                .filter(|found| found.told != Told::Nothing);
        }
        "wait" if is_told && call.root() == "t" => Found::new(Kind::Sleep, Form::Pause, length),
        "wait" if is_number(call.argument(0)) || is_named_time(call.argument(0)) => {
            queued(Found::new(Kind::Sleep, Form::Pause, length), in_async)
        }
        "pause" if is_told => {
            queued(Found::new(Kind::Sleep, Form::Pause, length), in_async && !in_nightwatch)
        }
        "sleep" if is_told && call.passes(is_driver) => {
            queued(Found::new(Kind::Sleep, Form::DriverSleep, length), in_async)
        }
        _ => return None,
    };
    Some(found)
}

/// `driver`, `browser`, `this.webDriver`
fn is_driver(name: &str) -> bool {
    let name = name.to_lowercase();
    name.ends_with("driver") || name.ends_with("browser") || name == "client"
}

/// A method `wait` of something unknown sleeps if it is plainly given a number.
fn is_number(argument: Option<&Expression<'_>>) -> bool {
    matches!(argument, Some(Expression::NumericLiteral(number)) if number.value >= 1.0)
}

/// `app.wait(app.duration.one_sec)`: a member of something that holds times.
fn is_named_time(argument: Option<&Expression<'_>>) -> bool {
    let names = argument.and_then(names_of).unwrap_or_default();
    let holds_times = |name: &&str| {
        let name = name.to_lowercase();
        ["duration", "durations", "timeout", "timeouts", "delay", "delays"].contains(&name.as_str())
    };
    names.len() > 1 && names[..names.len() - 1].iter().any(holds_times)
}

/// Nightwatch, Protractor and WebdriverIO's synchronous mode queue commands: outside an `async` function nothing is awaited.
fn queued(found: Found, in_async: bool) -> Found {
    if in_async { found } else { found.free() }
}
