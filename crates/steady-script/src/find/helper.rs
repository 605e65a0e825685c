//! Helpers that pause: the project's own, `timers/promises`, and functions whose name says it.

use super::{Found, Site};
use crate::value::{Reading, Told};
use crate::{Form, Kind};

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
    own(site).or_else(|| library(site)).or_else(|| named(site))
}

/// A function that the project is known to have.
fn own(site: &Site<'_, '_>) -> Option<Found> {
    let helper = site.facts.helper(site.call)?;
    let given = helper.parameter.and_then(|place| site.call.argument(place));
    let told = match (given, &helper.default) {
        (Some(given), _) => site.facts.told(Some(given)),
        (None, Some(default)) => Told::Time(Reading {
            number: default.ms as f64 / helper.unit.ms() as f64,
            span: oxc_span::Span::new(default.span.start as u32, default.span.end as u32),
            constant: Some(helper.name.clone()),
        }),
        (None, None) => Told::Nothing,
    };
    Some(Found::new(Kind::Sleep, Form::Helper, told).counting(helper.unit))
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
        _ => false,
    };
    is_timer.then(|| Found::new(Kind::Sleep, Form::Helper, site.length(0)))
}

/// A name that says it, given one number.
fn named(site: &Site<'_, '_>) -> Option<Found> {
    let call = site.call;
    let names = if call.is_function() { NAMES.as_slice() } else { METHODS.as_slice() };
    if !names.contains(&call.name()) || call.arguments().len() > 2 {
        return None;
    }
    let told = site.length(0);
    (told != Told::Nothing).then(|| Found::new(Kind::Sleep, Form::Helper, told))
}
