//! Whether a sleep is the time in which a test counts what happens: an end before it would leave out what comes too much.

use steady_js::{Check, Statement, Wait};

use super::follow::{acts, after, earlier};
use super::guard::{words, words_of};
use super::{File, zero_wait};

/// Ways of comparing that set an upper bound.
const BOUNDS: [&str; 9] = [
    "toBeLessThan",
    "toBeLessThanOrEqual",
    "lessThan",
    "below",
    "most",
    "lte",
    "isAtMost",
    "isBelow",
    "lessThanOrEqual",
];

/// Ways of comparing that say how often something was called, no more and no less.
const COUNTS: [&str; 4] = ["toHaveBeenCalledTimes", "toBeCalledTimes", "callCount", "calledOnce"];

/// Words of names that count what happens.
const HAPPENINGS: [&str; 14] = [
    "call",
    "calls",
    "called",
    "request",
    "requests",
    "fetch",
    "fetches",
    "event",
    "events",
    "hits",
    "renders",
    "invocations",
    "attempts",
    "retries",
];

/// The line that says how often something may have happened by the end of a sleep.
pub(super) fn window(file: &File<'_>, wait: &Wait) -> Option<usize> {
    // Nothing is observed in a turn of the event loop.
    if zero_wait::is_zero(file, wait) {
        return None;
    }
    let sleep = file.statement(wait)?;
    let mut declared: Vec<&str> = Vec::new();
    let mut chosen: Vec<&str> = Vec::new();
    for (place, next) in after(file.script, sleep).into_iter().enumerate() {
        if next.span.start < sleep.span.start || file.sleeps_in(next.span) {
            return None;
        }
        let is_bound =
            |check: &Check| bounds(file, sleep, check, &declared) || counts_chosen(file, check, &chosen);
        if next.checks.iter().any(is_bound) || (place == 0 && returns_counts(file, sleep, next)) {
            return Some(next.line);
        }
        if acts(next, file.script.text()) {
            return None;
        }
        if words_of(file.slice(next.span)).any(|name| is_collected(file, sleep, name)) {
            chosen.extend(next.declares.iter().map(String::as_str));
        }
        declared.extend(next.declares.iter().map(String::as_str));
    }
    None
}

/// Whether a check says how often something may have happened; what is read after the sleep may be anything else.
fn bounds(file: &File<'_>, sleep: &Statement, check: &Check, declared: &[&str]) -> bool {
    if check.negated {
        return false;
    }
    if COUNTS.contains(&check.matcher.as_str()) {
        return true;
    }
    let subject = check.subject.map(|subject| file.slice(subject)).unwrap_or_default();
    let is_new = || words_of(subject).any(|name| declared.contains(&name) || name == "await");
    let counts = || {
        words(subject).any(|word| HAPPENINGS.contains(&word.as_str()))
            || words_of(subject).any(|name| is_collected(file, sleep, name))
    };
    BOUNDS.contains(&check.matcher.as_str()) && !is_new() && counts()
}

/// Whether a check says how many there are of what was chosen from all that happened:
/// `const saves = calls.filter(isSave); expect(saves.length).toBe(1)`.
fn counts_chosen(file: &File<'_>, check: &Check, chosen: &[&str]) -> bool {
    let subject = check.subject.map(|subject| file.slice(subject)).unwrap_or_default();
    let is_count = check.matcher == "toHaveLength" || subject.ends_with(".length");
    is_count && !check.negated && words_of(subject).any(|name| chosen.contains(&name))
}

/// Whether the statement after a sleep gives back how much was collected until then: `return { total: calls.length }`.
fn returns_counts(file: &File<'_>, sleep: &Statement, next: &Statement) -> bool {
    let source = file.slice(next.span);
    let counted = source.match_indices(".length").chain(source.match_indices(".size"));
    let mut names = counted.filter_map(|(at, _)| words_of(&source[..at]).last());
    let mut counters = words_of(source).filter(|name| is_stepped(file, sleep, name));
    source.starts_with("return")
        && (names.any(|name| is_collected(file, sleep, name)) || counters.next().is_some())
}

/// Whether a name declared before a sleep is filled by something that the test only listens to.
fn is_collected(file: &File<'_>, sleep: &Statement, name: &str) -> bool {
    let fills = [format!("{name}.push("), format!("{name}.add(")];
    is_changed_by_callback(file, sleep, name, |source| fills.iter().any(|fill| source.contains(fill)))
        || is_stepped(file, sleep, name)
}

/// The same of a number that goes up.
fn is_stepped(file: &File<'_>, sleep: &Statement, name: &str) -> bool {
    let steps = [format!("{name}++"), format!("++{name}"), format!("{name} += 1")];
    is_changed_by_callback(file, sleep, name, |source| steps.iter().any(|step| source.contains(step)))
}

fn is_changed_by_callback(
    file: &File<'_>,
    sleep: &Statement,
    name: &str,
    changes: impl Fn(&str) -> bool,
) -> bool {
    let above = || earlier(file.script, sleep).filter(|last| last.span.end <= sleep.span.start);
    let is_declared = || above().any(|last| last.declares.iter().any(|declared| declared.as_str() == name));
    // What is changed in a function of its own is changed while the test sleeps.
    let is_elsewhere = |last: &Statement| last.function != sleep.function && changes(file.slice(last.span));
    above().any(is_elsewhere) && is_declared()
}
