//! `go test -json`: what happened, an object per line.
//!
//! The id is the package and the test as Go names it, `example.org/shop/cart::TestTexts/plain`; a test with subtests is a
//! test of its own, because `go test -run` and gotestsum treat it so. A package that fails without a failing test (it does not
//! build, or `TestMain` ends it) is reported under the package's name. Running the same test again in one run (`-count 2`)
//! gives it several results.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde::Deserialize;
use steady_model::rerun::Outcome;

use super::lines::{self, Noise};
use crate::base::Base;
use crate::case::{Attempt, Case};
use crate::error::ReadError;
use crate::format::Format;
use crate::identity;
use crate::text::{self, MESSAGE_LIMIT};

pub(crate) fn sniff(start: &[u8]) -> bool {
    lines::has_object_with(start, &["Action", "Package"])
        || lines::has_object_with(start, &["Action", "ImportPath"])
}

pub(crate) fn read(bytes: &[u8], base: &Base) -> Result<Vec<Case>, ReadError> {
    let text = text::decode(bytes);
    let mut tests: IndexMap<(String, String), Test> = IndexMap::new();
    let mut builds: IndexMap<String, String> = IndexMap::new();
    for event in lines::objects::<Event>(&text, Format::Go, Noise::Expected) {
        let event = event?;
        if event.action == "build-output" {
            add_output(builds.entry(event.import_path).or_default(), &event.output);
            continue;
        }
        if event.package.is_empty() {
            continue;
        }
        let test = tests.entry((event.package.clone(), event.test.clone())).or_default();
        match event.action.as_str() {
            "run" => test.open = true,
            "output" => add_output(&mut test.output, &event.output),
            "pass" => test.end(Outcome::Passed, event.elapsed),
            "skip" => test.end(Outcome::Skipped, event.elapsed),
            "fail" => {
                let build = event.failed_build.as_ref().and_then(|build| builds.get(build));
                add_output(&mut test.output, build.map_or("", String::as_str));
                test.end(Outcome::Failed, event.elapsed);
            }
            _ => {}
        }
    }
    let blamed: BTreeSet<String> = tests
        .iter()
        .filter(|((_, name), test)| !name.is_empty() && test.failed())
        .map(|((package, _), _)| package.clone())
        .collect();
    let reported = tests
        .into_iter()
        .filter(|((package, name), test)| !name.is_empty() || (test.failed() && !blamed.contains(package)));
    Ok(reported
        .map(|((package, name), test)| test.case(identity::id(base, [package.as_str(), name.as_str()])))
        .collect())
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    action: String,
    #[serde(default)]
    package: String,
    #[serde(default)]
    import_path: String,
    #[serde(default)]
    test: String,
    #[serde(default)]
    elapsed: Option<f64>,
    #[serde(default)]
    output: String,
    #[serde(default)]
    failed_build: Option<String>,
}

#[derive(Default)]
struct Test {
    open: bool,
    output: String,
    attempts: Vec<Attempt>,
}

impl Test {
    fn end(&mut self, outcome: Outcome, seconds: Option<f64>) {
        self.open = false;
        self.attempts.push(Attempt::new(outcome, seconds.map(|seconds| seconds * 1_000.0), &self.output));
        self.output.clear();
    }

    fn failed(&self) -> bool {
        self.open || self.attempts.iter().any(|attempt| attempt.outcome == Outcome::Failed)
    }

    fn case(mut self, id: String) -> Case {
        if self.open {
            self.attempts.push(Attempt::unfinished());
        }
        Case { id, line: 0, attempts: self.attempts }
    }
}

/// Keeps what a test prints, without the frame lines that Go adds.
fn add_output(output: &mut String, line: &str) {
    if !["=== ", "--- "].iter().any(|frame| line.trim_start().starts_with(frame)) {
        let room = (MESSAGE_LIMIT * 8).saturating_sub(output.len());
        output.push_str(text::front(line, room));
    }
}

#[cfg(test)]
mod tests {
    use Outcome::{Failed, Passed};

    use super::*;

    fn outcomes(events: &[(&str, &str)]) -> Vec<(String, Vec<Outcome>)> {
        let line = |(action, test): &(&str, &str)| {
            format!(r#"{{"Action":"{action}","Package":"shop","Test":"{test}"}}"#)
        };
        let text = events.iter().map(line).collect::<Vec<_>>().join("\n");
        let cases = read(text.as_bytes(), &Base::new("/home/ann/shop")).unwrap();
        let outcomes = |case: &Case| case.attempts.iter().map(|attempt| attempt.outcome).collect();
        cases.iter().map(|case| (case.id.clone(), outcomes(case))).collect()
    }

    #[test]
    fn a_package_is_blamed_only_when_no_test_is() {
        let one = |id: &str, outcome| (id.to_owned(), vec![outcome]);
        assert_eq!(outcomes(&[("run", "A"), ("fail", "A"), ("fail", "")]), [one("shop::A", Failed)]);
        assert_eq!(
            outcomes(&[("start", ""), ("run", "A"), ("pass", "A"), ("fail", "")]),
            [one("shop", Failed), one("shop::A", Passed)]
        );
        assert_eq!(outcomes(&[("run", "A"), ("fail", "")]), [one("shop::A", Failed)]);
    }

    #[test]
    fn a_test_run_twice_has_two_results() {
        let events = [("run", "A"), ("fail", "A"), ("run", "A"), ("pass", "A")];
        assert_eq!(outcomes(&events), [("shop::A".to_owned(), vec![Failed, Passed])]);
    }
}
