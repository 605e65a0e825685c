//! Whether a statement waits by itself until something is so.

use steady_js::{Script, Statement};

use super::File;
use super::follow::earlier;
use super::guard::{bare, words};

/// Calls that ask again until a condition holds, whatever it is about.
const POLLING: [&str; 6] =
    ["waitFor", "waitForCondition", "waitForExpect", "waitForFunction", "waitForURL", "waitUntil"];

/// What a condition says that may hold before anything has happened.
const NEGATIONS: [&str; 10] = [
    "=> !",
    "return !",
    "=== 0",
    "== 0",
    "== null",
    "=== null",
    "=== undefined",
    "=== false",
    "'hidden'",
    "'detached'",
];

/// Words in the names of functions that wait until something is gone.
const GONE: [&str; 13] = [
    "not",
    "no",
    "gone",
    "hidden",
    "hide",
    "removed",
    "removal",
    "disappear",
    "close",
    "closed",
    "detached",
    "absence",
    "idle",
];

/// Whether a statement asks again until a condition holds: by a call of its framework, or in a helper that does so first. One that
/// waits until something is gone may be over before it was there.
///
/// One that was made before the `sleep`, too, holds already.
pub(super) fn polls(file: &File<'_>, sleep: &Statement, statement: &Statement) -> bool {
    let same = |last: &Statement| bare(file.slice(last.span)) == bare(file.slice(statement.span));
    if earlier(file.script, sleep).any(same) {
        return false;
    }
    let Some(call) = statement.call.as_deref().filter(|_| statement.has_await) else { return false };
    let source = file.slice(statement.span);
    if NEGATIONS.iter().any(|negation| source.contains(negation)) || statement.asserts_absence() {
        return false;
    }
    POLLING.contains(&call) || helper_polls(file, statement, call)
}

/// Whether the function that a statement calls is one of the file whose first step polls, or says by its name that it waits.
fn helper_polls(file: &File<'_>, statement: &Statement, call: &str) -> bool {
    if words(call).any(|word| GONE.contains(&word.as_str())) {
        return false;
    }
    let is_function = statement.root.as_deref() == Some(call);
    if let Some(helper) = definition(file.script, call).filter(|_| is_function) {
        let inside = file.script.statements().iter().filter(|inner| {
            helper.span.start < inner.span.start && inner.span.end <= helper.span.end && inner.has_await
        });
        let mut first = inside.take(1);
        return first.any(|first| {
            let is_polling = first.call.as_deref().is_some_and(|call| POLLING.contains(&call));
            let is_negative =
                first.asserts_absence() || NEGATIONS.iter().any(|no| file.slice(first.span).contains(no));
            !is_negative && (is_polling || super::advice::is_waiting(file, first))
        });
    }
    let after = call.strip_prefix("waitFor").or_else(|| call.strip_prefix("waitUntil"));
    // Events and answers may have come before; what a framework loads says nothing about the page.
    let is_of_framework =
        ["Event", "Response", "Request", "LoadState", "Navigation", "NetworkIdle", "Timeout", "Selector"];
    after.is_some_and(|rest| rest.starts_with(char::is_uppercase) && !is_of_framework.contains(&rest))
}

/// The statement that defines a function of the file.
fn definition<'s>(script: &'s Script, name: &str) -> Option<&'s Statement> {
    let text = script.text();
    script.statements().iter().find(|statement| {
        let source = text.get(statement.span.start..statement.span.end).unwrap_or_default();
        let head = source.split(['(', '{']).next().unwrap_or_default();
        let is_function = head.contains("function") && head.split_whitespace().last() == Some(name);
        is_function || (statement.declares.iter().any(|declared| declared == name) && source.contains("=>"))
    })
}
