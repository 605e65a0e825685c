//! A sleep where something can be waited for.

use steady_script::{Form, Kind, Wait};

use super::{File, Said, called, zero_wait};

pub(super) const SUMMARY: &str = "A sleep of fixed length is too short on a slow machine and lost time on a fast one; \
                                  wait for what the next step needs.";

/// Calls whose functions stand in for a server or for slow work: a pause in them is what the test is about.
const STAND_INS: [&str; 12] = [
    ".route(",
    ".intercept(",
    "mockImplementation",
    "mockReturnValue",
    "jest.fn(",
    "vi.fn(",
    "sinon.stub(",
    "callsFake(",
    "createServer(",
    "setupServer(",
    "http.get(",
    "rest.get(",
];

/// Calls that hold tests rather than stand-ins.
const HOLDERS: [&str; 9] =
    ["it", "test", "describe", "context", "suite", "beforeEach", "beforeAll", "before", "fixture"];

pub(super) fn check(file: &File<'_>) -> Vec<Said> {
    // A sleep of nothing has a rule of its own.
    let read = file.script.waits().iter().filter(|wait| !zero_wait::is_zero(wait));
    let sleeps = read.chain(file.script.unread_waits()).filter(|wait| is_sleep(wait));
    sleeps
        .filter(|wait| !file.is_in_helper(wait) && !is_latency(file, wait) && !is_work(file, wait))
        .map(|wait| Said::of_sleep(file, wait, message(wait)))
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

/// Whether a timer hands on a value: `setTimeout(() => resolve('row'), 10)` stands in for slow work.
fn is_work(file: &File<'_>, wait: &Wait) -> bool {
    let call = &file.script.text()[wait.call.start..wait.call.end];
    let callback = call.split_once("=>").map(|(_, body)| body.trim_start());
    let given = callback.and_then(|body| body.split_once('(')).map(|(name, rest)| (name, rest.trim_start()));
    wait.form == Form::TimerPromise
        && given.is_some_and(|(name, rest)| name.chars().all(char::is_alphanumeric) && !rest.starts_with(')'))
}
