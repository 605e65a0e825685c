//! Cypress: options are the last argument of a command.

use super::{Place, Shape, Site, Slot, Strength, timeout};

/// How long a command retries.
const COMMAND: u64 = 4_000;
/// How long a page may take to load.
const LOAD: u64 = 60_000;
/// How long a request may take to be made.
const REQUEST: u64 = 5_000;

/// Commands that look for something, with how many arguments come before their options.
const QUERIES: [(&str, usize); 23] = [
    ("get", 1),
    ("find", 1),
    ("visit", 1),
    ("exec", 1),
    ("readFile", 1),
    ("eq", 1),
    ("its", 1),
    ("closest", 1),
    ("filter", 1),
    ("not", 1),
    ("shadow", 0),
    ("first", 0),
    ("last", 0),
    ("url", 0),
    ("title", 0),
    ("hash", 0),
    ("focused", 0),
    ("root", 0),
    ("reload", 0),
    ("go", 1),
    ("request", 0),
    ("task", 2),
    ("wait", 1),
];

/// Commands that look for something and may leave out arguments: their options are last.
const FLEXIBLE: [&str; 9] =
    ["contains", "children", "parent", "parents", "next", "prev", "siblings", "location", "getCookie"];

/// Commands that act on what was found.
const ACTIONS: [&str; 14] = [
    "click",
    "dblclick",
    "rightclick",
    "type",
    "clear",
    "check",
    "uncheck",
    "select",
    "focus",
    "blur",
    "submit",
    "trigger",
    "scrollIntoView",
    "selectFile",
];

pub(super) fn slot(site: &Site<'_>) -> Option<Slot> {
    if !site.is_on("cy") {
        return None;
    }
    let name = site.call.name.as_str();
    if ACTIONS.contains(&name) {
        return Some(Slot::new(timeout(site.before_options()), Strength::Acts, COMMAND));
    }
    if FLEXIBLE.contains(&name) || is_testing_library(name) {
        return Some(Slot::new(timeout(site.before_options()), Strength::Waits, COMMAND));
    }
    let (_, at) = QUERIES.iter().find(|(query, _)| *query == name)?;
    let (place, default) = match name {
        // `cy.wait(ms)` is a sleep, and a request that is not written as an object has no place for options.
        "wait" if !matches!(site.shape(0), Some(Shape::Text | Shape::Other)) => return None,
        "request" if !matches!(site.shape(0), Some(Shape::Object(_))) => return None,
        "wait" => (timeout(*at), REQUEST),
        "visit" | "reload" | "go" | "exec" | "request" => (timeout(*at), LOAD),
        "task" => (Place::Option { at: *at, key: "timeout", fill: "undefined" }, LOAD),
        _ => (timeout(*at), COMMAND),
    };
    Some(Slot::new(place, Strength::Waits, default))
}

/// `cy.findByText('…', { timeout })`: with Cypress the options of the search and of the wait are one object.
fn is_testing_library(name: &str) -> bool {
    name.starts_with("findBy") || name.starts_with("findAllBy")
}
