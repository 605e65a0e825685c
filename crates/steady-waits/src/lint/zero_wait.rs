//! A sleep of 0 ms.

use steady_js::{Form, Kind, Wait};

use super::fixed_sleep::is_latency;
use super::{File, Said, called};

pub(super) const SUMMARY: &str =
    "A timer of 0 ms waits for one turn of the event loop; what it is meant to wait for may take two.";

/// A wait for the value that is checked next would be no replacement: the value may be right before the turn and wrong after it.
const ADVICE: &str = "Say what has to settle: await what the step before started where it gives a promise, else let it settle by \
                      name (`await nextTick()`, `await act(async () => …)`, `flushPromises()`). A wait for the checked value is no \
                      replacement where that value may hold already.";

pub(super) fn check(file: &File<'_>) -> Vec<Said> {
    let waits = file.script.waits().iter().filter(|wait| is_zero(file, wait));
    waits
        .filter(|wait| !file.is_in_helper(wait) && !is_latency(file, wait))
        .map(|wait| Said::of(wait, message(wait), ADVICE.to_owned()))
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
