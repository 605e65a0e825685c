//! A test that its own limit ends before its waits can.

use steady_js::{Form, Kind, Wait};

use super::{File, Said};

pub(super) const SUMMARY: &str = "A test whose limit is shorter than its sleeps together, or than one of its time limits, is \
                                  ended before it can say what went wrong.";

pub(super) fn check(file: &File<'_>) -> Vec<Said> {
    let limits = file.script.waits().iter().filter(|wait| is_limit(wait));
    limits.filter_map(|limit| said(file, limit)).collect()
}

fn is_limit(wait: &Wait) -> bool {
    matches!(wait.form, Form::TestLimit | Form::LimitCall)
}

/// Whether a test sleeps so each time, one sleep after the other: not in a branch, in a function of its own or beside others.
fn is_always_slept(file: &File<'_>, wait: &Wait) -> bool {
    let Some(statement) = file.statement(wait) else { return false };
    let source = file.slice(statement.span);
    let is_step = source.starts_with("await") || source.starts_with("cy.");
    let parent = statement.parent.and_then(|parent| file.script.statements().get(parent));
    is_step
        && !source.contains("Promise.")
        && parent.is_none_or(|parent| parent.function != statement.function)
}

fn said(file: &File<'_>, limit: &Wait) -> Option<Said> {
    // A limit of 0 is none.
    let ms = limit.ms().filter(|ms| *ms > 0)?;
    // A suite's limit holds for each of its tests alone, so its waits say nothing together.
    let is_suite = matches!(limit.callee.as_str(), "describe" | "context" | "suite" | "configure");
    // The last of several limits of a test counts, and the longest is never passed.
    let same_test = |other: &&Wait| other.test.is_some() && other.test == limit.test;
    let limits = file.script.waits().iter().filter(|wait| is_limit(wait)).filter(same_test);
    if limits.filter_map(Wait::ms).any(|other| other > ms || other == 0) {
        return None;
    }
    let has_own = |wait: &&Wait| {
        let mut others =
            file.script.waits().iter().filter(|other| is_limit(other) && other.call != limit.call);
        is_suite && others.any(|other| governs(other, wait))
    };
    let governed = file.script.waits().iter().filter(|wait| governs(limit, wait) && !has_own(wait));
    let governed: Vec<&Wait> = governed.collect();
    let slept: u64 = governed
        .iter()
        .filter(|wait| wait.kind == Kind::Sleep && wait.awaited && is_always_slept(file, wait))
        .filter_map(|wait| wait.ms())
        .sum();
    let longest = governed.iter().filter(|wait| wait.kind == Kind::PollTimeout).max_by_key(|wait| wait.ms());
    let (needed, message) = match longest.and_then(|wait| Some((wait, wait.ms()?))) {
        _ if slept >= ms && !is_suite => {
            (slept, format!("the limit of {ms} ms is over before the sleeps of {slept} ms are"))
        }
        Some((wait, longest)) if longest > ms => {
            let message = format!(
                "the limit of {ms} ms ends the test before `{}` in line {} may give up at {longest} ms",
                wait.callee, wait.line
            );
            (longest, message)
        }
        _ => return None,
    };
    let advice = format!("Give the test more than {needed} ms, or its waits less than {ms} ms together.");
    Some(Said::of(limit, message, advice))
}

/// Whether a limit holds for a wait: the limit's call is around it, or both stand in the same test.
fn governs(limit: &Wait, wait: &Wait) -> bool {
    let is_inside =
        limit.call.start <= wait.call.start && wait.call.end <= limit.call.end && limit.call != wait.call;
    let is_beside = limit.form == Form::LimitCall && limit.test.is_some() && limit.test == wait.test;
    matches!(wait.kind, Kind::Sleep | Kind::PollTimeout)
        && wait.form != Form::Setting
        && (is_inside || is_beside)
}
