//! A sleep where something can be waited for.

use steady_script::{Form, Kind, Wait};

use super::{File, Said, advice, called, zero_wait};

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

/// Calls that hold tests rather than stand-ins.
const HOLDERS: [&str; 9] =
    ["it", "test", "describe", "context", "suite", "beforeEach", "beforeAll", "before", "fixture"];

pub(super) fn check(file: &File<'_>) -> Vec<Said> {
    // A sleep of nothing has a rule of its own.
    let read = file.script.waits().iter().filter(|wait| !zero_wait::is_zero(wait));
    let sleeps = read.chain(file.script.unread_waits()).filter(|wait| is_sleep(wait));
    sleeps
        .filter(|wait| !file.is_in_helper(wait) && !is_latency(file, wait))
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

fn is_sleep(wait: &Wait) -> bool {
    wait.kind == Kind::Sleep && wait.form != Form::Setting
}

fn is_latency(file: &File<'_>, wait: &Wait) -> bool {
    let text = file.script.text();
    file.around(wait).any(|statement| {
        // What stands between the statement's start and the sleep is around it, or comes before it in a test.
        let before = &text[statement.span.start..wait.call.start];
        let is_test = statement.root.as_deref().is_some_and(|root| HOLDERS.contains(&root));
        !is_test && STAND_INS.iter().any(|name| before.contains(name))
    })
}
