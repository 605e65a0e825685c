//! Whether a sleep is there to make two points in time differ.

use steady_js::{Check, Form, Statement, Wait};

use super::File;
use super::follow::{after, before, following};

/// Parts of names that hold a point in time.
const TIMES: [&str; 11] = [
    "updatedat",
    "createdat",
    "modifiedat",
    "timestamp",
    "lastmodified",
    "mtime",
    "gettime(",
    "updated_at",
    "created_at",
    "modified_at",
    "revisiontime",
];

/// What comments say about such a sleep.
const REASONS: [&str; 14] = [
    "timestamp",
    "updated_at",
    "updatedat",
    "created_at",
    "createdat",
    "different time",
    "time differ",
    "times differ",
    "dates differ",
    "same millisecond",
    "same second",
    "same time",
    "later date",
    "distinct time",
];

/// Ways of comparing two points in time; `not` with any other is one, too.
const ORDERS: [&str; 12] = [
    "toBeGreaterThan",
    "toBeGreaterThanOrEqual",
    "toBeLessThan",
    "toBeLessThanOrEqual",
    "above",
    "below",
    "greaterThan",
    "lessThan",
    "notEqual",
    "notStrictEqual",
    "isAbove",
    "isBelow",
];

/// The longest sleep that is about ticks of the clock, in milliseconds.
const FEW: u64 = 20;

/// Ways to read the clock.
const CLOCKS: [&str; 4] = ["Date.now(", "new Date()", "performance.now(", "hrtime"];

/// Whether a comment at the sleep says so, or a check after it compares points in time. A page has something to wait for.
pub(super) fn separates_times(file: &File<'_>, wait: &Wait) -> bool {
    let is_on_page =
        matches!(wait.form, Form::WaitForTimeout | Form::CyWait | Form::Pause | Form::DriverSleep);
    if is_on_page {
        return false;
    }
    says_so(file, wait)
        || is_between_two_alike(file, wait)
        || file.statement(wait).is_some_and(|sleep| {
            after(file.script, sleep)
                .iter()
                .flat_map(|next| &next.checks)
                .any(|check| compares_times(file, check))
        })
}

/// Whether a sleep of a tick or a few stands between two steps that are alike, or that both read the clock: nothing else takes so
/// little time.
fn is_between_two_alike(file: &File<'_>, wait: &Wait) -> bool {
    let Some(sleep) = file
        .statement(wait)
        .filter(|_| file.script.length_of(wait).is_some_and(|ms| (1..=FEW).contains(&ms)))
    else {
        return false;
    };
    let (Some(last), Some(next)) = (before(file.script, sleep).next(), following(file.script, sleep).next())
    else {
        return false;
    };
    let reads_clock = |one: &Statement| CLOCKS.iter().any(|clock| file.slice(one.span).contains(clock));
    let is_step = |one: &Statement| one.has_await && one.checks.is_empty() && one.call.is_some();
    let are_alike = last.call == next.call && last.root == next.root;
    (reads_clock(last) && reads_clock(next)) || (is_step(last) && is_step(next) && are_alike)
}

fn says_so(file: &File<'_>, wait: &Wait) -> bool {
    file.comments_at(wait)
        .map(|comment| comment.to_lowercase())
        .any(|comment| REASONS.iter().any(|reason| comment.contains(reason)))
}

fn compares_times(file: &File<'_>, check: &Check) -> bool {
    let is_order = check.negated || ORDERS.contains(&check.matcher.as_str());
    let source = file.slice(check.span).to_lowercase();
    is_order && TIMES.iter().any(|time| source.contains(time))
}
