//! The plugin pytest-json-report: `pytest --json-report`.
//!
//! A test's outcome is one word, its three phases (`setup`, `call`, `teardown`) say why. A module that cannot be imported
//! is a failed collector and not a test.

use serde::Deserialize;
use serde_json::Value;
use steady_model::rerun::Outcome;

use super::json;
use crate::base::Base;
use crate::case::{Attempt, Case};
use crate::error::ReadError;
use crate::format::Format;
use crate::{identity, text};

pub(crate) fn sniff(start: &[u8]) -> bool {
    json::begins_with_keys(start, &["created", "exitcode", "summary"])
}

pub(crate) fn read(bytes: &[u8], base: &Base) -> Result<Vec<Case>, ReadError> {
    let text = text::decode(bytes);
    let report: Report =
        json::from_str(&text).map_err(|error| ReadError::json(Format::PytestJson, &error))?;
    let collectors =
        report.collectors.iter().filter(|collector| collector.outcome == "failed").map(|collector| {
            let attempt = Attempt::new(Outcome::Failed, None, &said(&collector.longrepr));
            Case::once(identity::of_node(base, &collector.nodeid), attempt)
        });
    Ok(collectors.chain(report.tests.iter().map(|test| test.case(base))).collect())
}

#[derive(Deserialize)]
struct Report {
    #[serde(default)]
    collectors: Vec<Collector>,
    #[serde(default)]
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Collector {
    nodeid: String,
    #[serde(default)]
    outcome: String,
    #[serde(default)]
    longrepr: Value,
}

#[derive(Deserialize)]
struct Test {
    nodeid: String,
    outcome: String,
    #[serde(default)]
    lineno: Option<u32>,
    #[serde(default)]
    setup: Option<Phase>,
    #[serde(default)]
    call: Option<Phase>,
    #[serde(default)]
    teardown: Option<Phase>,
}

#[derive(Deserialize)]
struct Phase {
    #[serde(default)]
    duration: Option<f64>,
    #[serde(default)]
    crash: Option<Crash>,
    #[serde(default)]
    longrepr: Value,
}

#[derive(Deserialize)]
struct Crash {
    #[serde(default)]
    message: String,
}

impl Phase {
    fn said(&self) -> Option<String> {
        let headline = self.crash.as_ref().map_or("", |crash| &crash.message);
        let body = said(&self.longrepr);
        // The plugin writes file, line and reason of a skipped test as the text of a Python tuple.
        let reason = body.strip_prefix("('").and_then(|tuple| tuple.rsplit_once(", '")?.1.strip_suffix("')"));
        text::headline_and_body(headline, reason.unwrap_or(&body))
    }
}

impl Test {
    fn case(&self, base: &Base) -> Case {
        let outcome = match self.outcome.as_str() {
            "passed" | "xpassed" => Outcome::Passed,
            "skipped" | "xfailed" => Outcome::Skipped,
            _ => Outcome::Failed,
        };
        let phases = || [&self.setup, &self.call, &self.teardown].into_iter().flatten();
        let seconds: Option<f64> = phases().filter_map(|phase| phase.duration).reduce(|sum, next| sum + next);
        let reasons: Vec<String> = phases().filter_map(Phase::said).collect();
        let attempt = Attempt::new(outcome, seconds.map(|seconds| seconds * 1_000.0), &reasons.join("\n"));
        let id = identity::of_node(base, &self.nodeid);
        Case { line: self.lineno.unwrap_or(0), ..Case::once(id, attempt) }
    }
}

/// What pytest says of a failure or a skipped test.
pub(super) fn said(longrepr: &Value) -> String {
    match longrepr {
        Value::String(text) => text.clone(),
        // File, line and reason of a skipped test.
        Value::Array(parts) => parts.last().and_then(Value::as_str).unwrap_or("").to_owned(),
        Value::Object(parts) => {
            let crash = parts.get("reprcrash").and_then(|crash| crash.get("message")).and_then(Value::as_str);
            crash.unwrap_or("").to_owned()
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use Outcome::{Failed, Passed, Skipped};

    use super::*;

    #[test]
    fn the_word_of_a_test_is_its_outcome() {
        let table = [
            ("passed", Passed),
            ("xpassed", Passed),
            ("failed", Failed),
            ("error", Failed),
            ("skipped", Skipped),
            ("xfailed", Skipped),
        ];
        for (word, expected) in table {
            let json =
                format!(r#"{{"tests":[{{"nodeid":"tests/test_a.py::test_x[a\\nb]","outcome":"{word}"}}]}}"#);
            let cases = read(json.as_bytes(), &Base::new("/home/ann/shop")).unwrap();
            assert_eq!(cases[0].id, "tests/test_a.py::test_x[a\\nb]");
            assert_eq!(cases[0].attempts[0].outcome, expected, "{word}");
        }
    }
}
