//! A sleep where something can be waited for.

use steady_script::{Form, Kind, Wait};

use super::{File, Said, advice, called};

pub(super) const SUMMARY: &str = "A sleep of fixed length is too short on a slow machine and lost time on a fast one; \
                                  wait for what the next step needs.";

/// Calls whose functions stand in for a server: a pause in them is the latency that the test is about.
const STAND_INS: [&str; 7] = [
    ".route(",
    ".intercept(",
    "mockImplementation",
    "createServer(",
    "http.get(",
    "rest.get(",
    "setupServer(",
];

pub(super) fn check(file: &File<'_>) -> Vec<Said> {
    let sleeps = file
        .script
        .waits()
        .iter()
        .filter(|wait| is_sleep(wait) && !file.is_in_helper(wait) && !is_latency(file, wait));
    sleeps
        .map(|wait| Said {
            message: message(wait),
            advice: advice::instead_of(file, wait),
            wait: wait.clone(),
        })
        .collect()
}

fn message(wait: &Wait) -> String {
    let call = called(wait);
    match wait.ms() {
        Some(ms) => {
            format!("`{call}` sleeps {ms} ms in every run and still fails when {ms} ms are not enough")
        }
        None => {
            format!("`{call}` sleeps for a fixed time in every run and still fails when that is not enough")
        }
    }
}

/// A sleep of nothing has a rule of its own.
fn is_sleep(wait: &Wait) -> bool {
    let is_call = wait.form != Form::Setting;
    let is_nothing = wait.ms() == Some(0) || (wait.form == Form::TimerPromise && wait.value.is_none());
    wait.kind == Kind::Sleep && is_call && !is_nothing
}

fn is_latency(file: &File<'_>, wait: &Wait) -> bool {
    let text = file.script.text();
    // Only what stands between the statement's start and the sleep is around it.
    file.around(wait).any(|statement| {
        let before = &text[statement.span.start..wait.call.start];
        let is_test = before.contains("it(") || before.contains("test(") || before.contains("describe(");
        !is_test && STAND_INS.iter().any(|name| before.contains(name))
    })
}
