//! Helpers that pause: the project's own, `timers/promises`, and functions whose name says it.

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;

use super::{Found, Site};
use crate::chain::links_of;
use crate::facts::value::{Reading, Told};
use crate::{Form, Kind, Unit};

/// Names that say "pause for this long" when they are given a number.
const NAMES: [&str; 14] = [
    "sleep",
    "delay",
    "wait",
    "pause",
    "timeout",
    "snooze",
    "waitMs",
    "sleepMs",
    "delayMs",
    "waitForMs",
    "waitForTime",
    "waitTime",
    "promiseTimeout",
    "setTimeoutPromise",
];

/// Method names among them: a method `timeout` or `wait` may be anything.
const METHODS: [&str; 5] = ["sleep", "delay", "snooze", "waitMs", "sleepMs"];

pub(super) fn find(site: &Site<'_, '_>) -> Option<Found> {
    if is_of_result(site) {
        return None;
    }
    own(site).or_else(|| library(site)).or_else(|| named(site))
}

/// Whether it is a method of what another call gives back: `automation().delay({ time: 250 }).save()` builds a step of something.
fn is_of_result(site: &Site<'_, '_>) -> bool {
    let links = site.call.links();
    let before = links.len().saturating_sub(1);
    links[..before].iter().any(|link| link.arguments.is_some())
}

/// A function that the project is known to have.
fn own(site: &Site<'_, '_>) -> Option<Found> {
    let helper = site.facts.helper(site.call)?;
    let given = helper.parameter.and_then(|place| site.call.argument(place));
    // The alias of a request, which the same function of Cypress waits for, is no time.
    if given.is_some_and(|given| !super::may_be_number(given)) {
        return None;
    }
    // A step that also pauses, by a default of its own: the pause is in its function, and no call of it says so.
    if given.is_none() && !helper.is_alone {
        return None;
    }
    let told = match (given, &helper.default) {
        (Some(given), _) => site.facts.told(Some(given)),
        (None, Some(default)) => Told::Time(Reading {
            number: default.ms as f64 / helper.unit.ms() as f64,
            span: oxc_span::Span::new(default.span.start as u32, default.span.end as u32),
            constant: Some(helper.name.clone()),
            holder: default.holder.clone(),
        }),
        (None, None) => Told::Nothing,
    };
    let found = Found::new(Kind::Sleep, Form::Helper, told).counting(helper.unit);
    Some(if helper.is_queued { found.free() } else { found })
}

/// `setTimeout` of `timers/promises`, also under another name, and the package `delay`.
fn library(site: &Site<'_, '_>) -> Option<Found> {
    let call = site.call;
    let import = site.facts.imports.get(call.root())?;
    let is_timer = match import.source {
        // `timer(5).then(…)` is a call of what it gives back.
        "timers/promises" | "node:timers/promises" if import.name == "setTimeout" => call.is_function(),
        "timers/promises" | "node:timers/promises" => call.name() == "setTimeout",
        "delay" | "sleep-promise" => call.is_function(),
        // k6 counts in seconds, and waits without a promise.
        "k6" if import.name == "sleep" => {
            return Some(
                Found::new(Kind::Sleep, Form::Helper, site.length(0)).counting(Unit::Seconds).free(),
            );
        }
        _ => false,
    };
    is_timer.then(|| Found::new(Kind::Sleep, Form::Helper, site.length(0)).sure())
}

/// A name that says it, given one number.
fn named(site: &Site<'_, '_>) -> Option<Found> {
    let call = site.call;
    let names = if call.is_function() { NAMES.as_slice() } else { METHODS.as_slice() };
    let is_promise =
        call.name() == "setTimeout" && matches!(call.argument(0), Some(Expression::NumericLiteral(_)));
    let unit = if counts_seconds(call.name()) { Unit::Seconds } else { Unit::Milliseconds };
    let is_named = names.contains(&call.name()) || unit == Unit::Seconds || is_promise;
    if !is_named || call.arguments().len() > 2 || is_kept(site) {
        return None;
    }
    let told = site.length(0);
    let found = (told != Told::Nothing).then(|| Found::new(Kind::Sleep, Form::Helper, told).counting(unit));
    // What is given the result of `Math` is given a number.
    found.map(|found| if call.argument(0).is_some_and(is_computed) { found.sure() } else { found })
}

/// Whether a function that only its name says to pause gives back something that is kept: `const middleware = timeout(500)`.
fn is_kept(site: &Site<'_, '_>) -> bool {
    let is_plain = !site.call.name().starts_with("sleep");
    is_plain && matches!(site.ancestors.last(), Some(AstKind::VariableDeclarator(_)))
}

/// `Math.max(rest, 0)`
fn is_computed(length: &Expression<'_>) -> bool {
    let links = links_of(length);
    links.len() == 2 && links[0].name == "Math" && links[1].arguments.is_some()
}

/// `sleepSeconds`, `waitSec`
fn counts_seconds(name: &str) -> bool {
    let verbs = ["sleep", "wait", "delay", "pause"];
    let rest = verbs.iter().find_map(|verb| name.strip_prefix(verb));
    rest.is_some_and(|rest| matches!(rest, "Seconds" | "Secs" | "Sec" | "ForSeconds" | "InSeconds"))
}
