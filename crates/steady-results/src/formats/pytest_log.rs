//! pytest's own log, by the plugin pytest-reportlog: `pytest --report-log=FILE`.
//!
//! An object per line, written while the tests run: every test has one for each of `setup`, `call` and `teardown`, and
//! pytest-rerunfailures gives a failed try the outcome `rerun`. A test without a `teardown` was running when the run was
//! ended.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;
use steady_model::rerun::Outcome;

use super::lines::{self, Noise};
use super::pytest_json::said;
use crate::base::Base;
use crate::case::{Attempt, Case};
use crate::error::ReadError;
use crate::format::Format;
use crate::{identity, text};

pub(crate) fn sniff(start: &[u8]) -> bool {
    lines::has_object_with(start, &["$report_type"])
}

pub(crate) fn read(bytes: &[u8], base: &Base) -> Result<Vec<Case>, ReadError> {
    let text = text::decode(bytes);
    let mut tests: IndexMap<String, Test> = IndexMap::new();
    let mut cases = Vec::new();
    for report in lines::objects::<Report>(&text, Format::PytestLog, Noise::Refused) {
        let report = report?;
        match report.kind.as_str() {
            "TestReport" => tests.entry(report.nodeid.clone()).or_default().add(&report),
            "CollectReport" if report.outcome == "failed" => {
                let attempt = Attempt::new(Outcome::Failed, None, &said(&report.longrepr));
                cases.push(Case::once(identity::of_node(base, &report.nodeid), attempt));
            }
            _ => {}
        }
    }
    cases.extend(tests.into_iter().map(|(node, test)| {
        let id = identity::of_node(base, &node);
        Case { id, line: test.line, attempts: test.tries.iter().map(Try::attempt).collect() }
    }));
    Ok(cases)
}

#[derive(Deserialize)]
struct Report {
    #[serde(rename = "$report_type")]
    kind: String,
    #[serde(default)]
    nodeid: String,
    #[serde(default)]
    outcome: String,
    #[serde(default)]
    when: String,
    #[serde(default)]
    duration: f64,
    #[serde(default)]
    longrepr: Value,
    #[serde(default)]
    location: Value,
}

#[derive(Default)]
struct Test {
    line: u32,
    tries: Vec<Try>,
}

#[derive(Default)]
struct Try {
    failed: bool,
    skipped: bool,
    finished: bool,
    seconds: f64,
    said: Vec<String>,
}

impl Test {
    fn add(&mut self, report: &Report) {
        let line = report.location.get(1).and_then(Value::as_u64).unwrap_or(0);
        self.line = u32::try_from(line).unwrap_or(0);
        if self.tries.is_empty() || (report.when == "setup") {
            self.tries.push(Try::default());
        }
        let Some(current) = self.tries.last_mut() else { return };
        match report.outcome.as_str() {
            "passed" => {}
            "skipped" => current.skipped = true,
            _ => current.failed = true,
        }
        current.finished |= report.when == "teardown";
        current.seconds += report.duration;
        current.said.extend(Some(said(&report.longrepr)).filter(|said| !said.is_empty()));
    }
}

impl Try {
    fn attempt(&self) -> Attempt {
        let outcome = match (self.failed, self.skipped, self.finished) {
            (true, ..) => Outcome::Failed,
            (_, true, _) => Outcome::Skipped,
            (_, _, true) => Outcome::Passed,
            _ => return Attempt::unfinished(),
        };
        Attempt::new(outcome, Some(self.seconds * 1_000.0), &self.said.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use Outcome::{Failed, Passed, Skipped};

    use super::*;

    type Phases = &'static [(&'static str, &'static str)];

    fn outcomes(phases: Phases) -> Vec<Outcome> {
        let line = |(when, outcome): &(&str, &str)| {
            format!(
                r#"{{"$report_type":"TestReport","nodeid":"a.py::t","when":"{when}","outcome":"{outcome}"}}"#
            )
        };
        let log = phases.iter().map(line).collect::<Vec<_>>().join("\n");
        let cases = read(log.as_bytes(), &Base::new("/home/ann/shop")).unwrap();
        cases[0].attempts.iter().map(|attempt| attempt.outcome).collect()
    }

    #[test]
    fn the_phases_make_the_outcome() {
        let table: [(Phases, Vec<Outcome>); 6] = [
            (&[("setup", "passed"), ("call", "passed"), ("teardown", "passed")], vec![Passed]),
            (&[("setup", "failed"), ("teardown", "passed")], vec![Failed]),
            (&[("setup", "passed"), ("call", "passed"), ("teardown", "failed")], vec![Failed]),
            (&[("setup", "skipped"), ("teardown", "passed")], vec![Skipped]),
            (&[("setup", "passed")], vec![Failed]),
            (
                &[
                    ("setup", "rerun"),
                    ("teardown", "passed"),
                    ("setup", "passed"),
                    ("call", "passed"),
                    ("teardown", "passed"),
                ],
                vec![Failed, Passed],
            ),
        ];
        for (phases, expected) in table {
            assert_eq!(outcomes(phases), expected, "{phases:?}");
        }
    }

    #[test]
    fn a_last_line_that_was_cut_off_is_left_out_and_a_broken_one_is_named() {
        let base = Base::new("/home/ann/shop");
        let whole = r#"{"$report_type":"TestReport","nodeid":"a.py::t","when":"setup","outcome":"skipped"}"#;
        assert_eq!(read(format!("{whole}\n{{\"$rep").as_bytes(), &base).unwrap().len(), 1);
        let error = read(format!("{whole}\n{{\"$rep\n{whole}\n").as_bytes(), &base).unwrap_err();
        assert!(error.to_string().starts_with("broken pytest log report at line 2: "), "{error}");
    }
}
