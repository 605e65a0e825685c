//! A sleep where something can be waited for.

use steady_edit::Span;
use steady_js::{Form, Kind, Wait};

use super::follow::earlier;
use super::gesture::is_gesture;
use super::guard::guard;
use super::setting::arguments_of;
use super::window::window;
use super::{File, Said, called, zero_wait};

pub(super) const SUMMARY: &str = "A sleep of fixed length is too short on a slow machine and lost time on a fast one; \
                                  wait for what the next step needs.";

pub(super) fn check(file: &File<'_>) -> Vec<Said> {
    // A sleep of nothing has a rule of its own.
    let read = file.script.waits().iter().filter(|wait| !zero_wait::is_zero(file, wait));
    let sleeps = read.chain(file.script.unread_waits()).filter(|wait| is_sleep(wait));
    sleeps
        .filter(|wait| !file.is_in_helper(wait) && !is_latency(file, wait) && !is_gesture(file, wait))
        .filter(|wait| !is_told_by_options(file, wait) && !is_meant(file, wait))
        .map(|wait| Said::of_sleep(file, wait, message(file, wait)))
        .collect()
}

fn message(file: &File<'_>, wait: &Wait) -> String {
    let call = called(wait);
    let (long, short) = match file.script.length_of(wait) {
        Some(ms) => (format!("{ms} ms"), format!("{ms} ms are")),
        None => ("for a fixed time".to_owned(), "that is".to_owned()),
    };
    // What must not happen has not happened yet when the time is too short.
    if guard(file.script, wait).is_some() || window(file, wait).is_some() {
        return format!(
            "`{call}` sleeps {long} in every run, and the check after it passes falsely when {short} not enough"
        );
    }
    format!("`{call}` sleeps {long} in every run and still fails when {short} not enough")
}

fn is_sleep(wait: &Wait) -> bool {
    wait.kind == Kind::Sleep && wait.form != Form::Setting
}

/// Whether a function of the project pauses for a time that its options say: `const { delay = 10 } = options`.
fn is_told_by_options(file: &File<'_>, wait: &Wait) -> bool {
    let Some(sleep) = file.statement(wait).filter(|sleep| sleep.test.is_none()) else { return false };
    let length = arguments_of(file.slice(wait.call)).last().copied().unwrap_or_default().trim();
    let declared = earlier(file.script, sleep).find(|last| last.declares.iter().any(|name| name == length));
    declared.is_some_and(|last| {
        let words: Vec<&str> = file.slice(last.span).split_whitespace().take(2).collect();
        matches!(words.as_slice(), ["const" | "let", second] if second.starts_with('{'))
    })
}

/// Words of comments that say that the pause itself is wanted.
const MEANT: [&str; 6] = ["intentional", "deliberate", "on purpose", "simulat", "throttle", "pacing"];

/// Whether a comment at a sleep says that the pause is what the test is about: slow typing, a rate, the pace of a load.
fn is_meant(file: &File<'_>, wait: &Wait) -> bool {
    file.comments_at(wait).any(|comment| {
        let comment = comment.to_lowercase();
        MEANT.iter().any(|word| comment.contains(word))
    })
}

/// Whether a pause stands for how long something else takes.
pub(super) fn is_latency(file: &File<'_>, wait: &Wait) -> bool {
    let is_around = |span: &Span| span.start <= wait.call.start && wait.call.end <= span.end;
    file.script.stand_ins().iter().any(is_around) || is_faked(file, wait)
}

/// Whether a test turns the clock by itself: `const done = sleep(500); vi.advanceTimersByTime(500)`.
fn is_faked(file: &File<'_>, wait: &Wait) -> bool {
    let is_kept = || file.statement(wait).is_some_and(|statement| !statement.has_await);
    wait.awaited && is_kept() && file.has_fake_clock(wait)
}
