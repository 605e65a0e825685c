//! JSON lines of Rust's test harness and of nextest.
//!
//! Written by `cargo test -- -Z unstable-options --format json` (nightly) and `cargo nextest run --message-format
//! libtest-json` or `libtest-json-plus`. The lines share standard output with what tests print, so other lines are
//! skipped. libtest does not say which binary a test belongs to: tests of the same path in two binaries are numbered.
//! nextest writes `package::binary$module::test`, reports only the last try (`…#2` is the second), and may split a binary
//! over several suites. A test that only started was running when its process died.

use indexmap::IndexMap;
use serde::Deserialize;
use steady_model::rerun::Outcome;

use super::lines::{self, Noise};
use crate::base::Base;
use crate::case::{Attempt, Case};
use crate::error::ReadError;
use crate::format::Format;
use crate::{identity, text};

/// More tries than any runner makes; a report may claim any number.
const TRIES: u32 = 100;

pub(crate) fn sniff(start: &[u8]) -> bool {
    lines::has_object_with(start, &["type", "event", "test_count"])
        || lines::has_object_with(start, &["type", "event", "name"])
}

pub(crate) fn read(bytes: &[u8], base: &Base) -> Result<Vec<Case>, ReadError> {
    let text = text::decode(bytes);
    let mut tests: IndexMap<(usize, String), Test> = IndexMap::new();
    let mut suite = 0;
    for event in lines::objects::<Event>(&text, Format::Libtest, Noise::Expected) {
        let event = event?;
        match (event.kind.as_str(), event.event.as_str()) {
            ("suite", "started") => suite += 1,
            ("test", _) => {
                let (name, number) = name_and_try(&event.name);
                // nextest names the binary, so its suites need no numbering.
                let suite = if name.contains('$') { 0 } else { suite };
                tests.entry((suite, name.to_owned())).or_default().add(&event, number);
            }
            _ => {}
        }
    }
    let case = |((_, name), test): ((usize, String), Test)| test.case(identity::id(base, parts(&name)));
    Ok(tests.into_iter().map(case).collect())
}

#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    event: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    exec_time: Option<f64>,
    #[serde(default)]
    stdout: Option<String>,
    #[serde(default)]
    message: Option<String>,
}

#[derive(Default)]
struct Test {
    running: bool,
    attempts: Vec<Attempt>,
}

impl Test {
    fn add(&mut self, event: &Event, number: u32) {
        let outcome = match event.event.as_str() {
            "started" => {
                self.running = true;
                return;
            }
            "ok" => Outcome::Passed,
            "failed" => Outcome::Failed,
            "ignored" => Outcome::Skipped,
            // `timeout` only warns that the test takes long.
            _ => return,
        };
        self.running = false;
        for _ in 1..number.min(TRIES) {
            self.attempts.push(Attempt::new(Outcome::Failed, None, "failed and was run again"));
        }
        let said: Vec<&str> =
            [&event.message, &event.stdout].into_iter().flatten().map(String::as_str).collect();
        let milliseconds = event.exec_time.map(|seconds| seconds * 1_000.0);
        self.attempts.push(Attempt::new(outcome, milliseconds, &said.join("\n")));
    }

    fn case(mut self, id: String) -> Case {
        if self.running {
            self.attempts.push(Attempt::unfinished());
        }
        Case { id, line: 0, attempts: self.attempts }
    }
}

/// The name and nextest's number of the try.
fn name_and_try(name: &str) -> (&str, u32) {
    match name.rsplit_once('#').map(|(test, number)| (test, number.parse())) {
        Some((test, Ok(number))) if test.contains('$') => (test, number),
        _ => (name, 1),
    }
}

/// Binary and test; a library's own tests go by the package alone, as in nextest's JUnit report.
fn parts(name: &str) -> [&str; 2] {
    let Some((binary, test)) = name.split_once('$') else { return ["", name] };
    match binary.split_once("::") {
        Some((package, library)) if package.replace('-', "_") == library => [package, test],
        _ => [binary, test],
    }
}

#[cfg(test)]
mod tests {
    use Outcome::{Failed, Passed, Skipped};

    use super::*;

    fn outcomes(events: &[(&str, &str)]) -> Vec<(String, Vec<Outcome>)> {
        let line =
            |(event, name): &(&str, &str)| format!(r#"{{"type":"test","event":"{event}","name":"{name}"}}"#);
        let text = events.iter().map(line).collect::<Vec<_>>().join("\nrunning 2 tests { oh\n");
        let cases = read(text.as_bytes(), &Base::new("/home/ann/shop")).unwrap();
        let outcomes = |case: &Case| case.attempts.iter().map(|attempt| attempt.outcome).collect();
        cases.iter().map(|case| (case.id.clone(), outcomes(case))).collect()
    }

    #[test]
    fn every_test_that_began_has_an_outcome() {
        assert_eq!(
            outcomes(&[("started", "a::b"), ("started", "c"), ("ok", "a::b"), ("timeout", "c")]),
            [("a::b".to_owned(), vec![Passed]), ("c".to_owned(), vec![Failed])]
        );
        assert_eq!(outcomes(&[("started", "a"), ("ignored", "a")]), [("a".to_owned(), vec![Skipped])]);
    }

    #[test]
    fn tries_of_nextest_are_one_test() {
        assert_eq!(
            outcomes(&[
                ("started", "shop::api$a"),
                ("ok", "shop::api$a#2"),
                ("started", "my-shop::my_shop$b")
            ]),
            [("shop::api::a".to_owned(), vec![Failed, Passed]), ("my-shop::b".to_owned(), vec![Failed])]
        );
    }
}
