//! A promise that nothing waits for.

use steady_js::{Form, Framework, Kind, Wait};

use super::{File, Said, called};

pub(super) const SUMMARY: &str = "A wait without `await` does not wait: the test goes on at once, and what fails later fails \
                                  another test.";

pub(super) fn check(file: &File<'_>) -> Vec<Said> {
    let waits = file.waits().filter(|wait| is_dropped(wait) && gives_promise(file, wait));
    waits.map(|wait| Said::of(wait, message(wait), advice(file, wait))).collect()
}

fn message(wait: &Wait) -> String {
    format!("nothing waits for `{}`: the next line runs at once", called(wait))
}

/// Calls that wait for what a later step causes: one that is awaited before that step never ends.
const STARTED_BEFORE: [&str; 7] = [
    "waitForEvent",
    "waitForFileChooser",
    "waitForNavigation",
    "waitForRequest",
    "waitForRequestFinished",
    "waitForResponse",
    "waitForURL",
];

/// Whether what is dropped is known to be a promise. A function of the project may give back anything, and commands of Cypress are
/// queued, also by functions that have other names.
fn gives_promise(file: &File<'_>, wait: &Wait) -> bool {
    let frameworks = file.script.frameworks();
    let is_below_cypress = file.path.iter().any(|part| part == "cypress");
    let has_other_page = frameworks.iter().any(|one| one.has_page() && *one != Framework::Cypress);
    if frameworks.contains(&Framework::Cypress) || (is_below_cypress && !has_other_page) {
        return false;
    }
    let is_own = || file.script.helpers().iter().any(|helper| helper.name == wait.callee);
    wait.form != Form::Helper || is_own() || file.statement(wait).is_some_and(|statement| statement.in_async)
}

fn advice(file: &File<'_>, wait: &Wait) -> String {
    if STARTED_BEFORE.contains(&wait.callee.as_str()) {
        return "Start it before the step that causes it, and await it after that step: `const arrived = …`, the step, `await arrived`."
            .to_owned();
    }
    let statement = file.statement(wait);
    let call = statement.map_or_else(String::new, |statement| {
        first_line(&file.script.text()[statement.span.start..statement.span.end])
    });
    if statement.is_some_and(|statement| statement.in_async) {
        format!("Write `await {call}`.")
    } else {
        format!("Make the function around it `async` and write `await {call}`, or return the promise.")
    }
}

/// The first line of a statement, without its semicolon.
fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim_end().trim_end_matches(';');
    if text.lines().nth(1).is_some() { format!("{line} …") } else { line.to_owned() }
}

fn is_dropped(wait: &Wait) -> bool {
    !wait.awaited && matches!(wait.kind, Kind::Sleep | Kind::PollTimeout)
}
