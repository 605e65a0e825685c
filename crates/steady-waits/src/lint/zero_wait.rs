//! A sleep of 0 ms.

use steady_js::{Form, Kind, Wait};

use super::fixed_sleep::is_latency;
use super::{File, Said, called};

pub(super) const SUMMARY: &str =
    "A timer of 0 ms waits for one turn of the event loop; what it is meant to wait for may take two.";

pub(super) fn check(file: &File<'_>) -> Vec<Said> {
    let waits = file.script.waits().iter().filter(|wait| is_zero(file, wait));
    waits
        .filter(|wait| !file.is_in_helper(wait) && !is_latency(file, wait))
        .map(|wait| Said::of_sleep(file, wait, message(wait)))
        .collect()
}

fn message(wait: &Wait) -> String {
    format!("`{}` of 0 ms waits for one turn of the event loop and for nothing in particular", called(wait))
}

/// A timer outside a test belongs to what is tested.
pub(super) fn is_zero(file: &File<'_>, wait: &Wait) -> bool {
    let is_zero = match wait.form {
        Form::TimerPromise | Form::SetTimeout => wait.ms().unwrap_or(0) == 0,
        Form::Setting => false,
        _ => file.script.length_of(wait) == Some(0),
    };
    is_zero && (wait.kind == Kind::Sleep || (wait.kind == Kind::Timer && wait.test.is_some()))
}
