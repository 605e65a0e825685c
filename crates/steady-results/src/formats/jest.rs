//! `jest --json` and Vitest's `--reporter=json`, which has the same shape.
//!
//! A file that cannot be loaded has a message and no tests: it is reported as a test of its own, named after the file. Jest
//! reports retries in `invocations`, sometimes with `retryReasons`; Vitest leaves the failures of earlier tries on a test
//! that passed.

use serde::Deserialize;
use steady_model::rerun::Outcome;

use super::json;
use crate::base::Base;
use crate::case::{Attempt, Case};
use crate::error::ReadError;
use crate::format::Format;
use crate::{identity, text};

/// More tries than any runner makes; a report may claim any number.
const TRIES: u32 = 100;

pub(crate) fn sniff(start: &[u8]) -> bool {
    json::begins_with_keys(start, &["numTotalTests"])
        || json::begins_with_keys(start, &["numTotalTestSuites"])
}

pub(crate) fn read(bytes: &[u8], base: &Base) -> Result<Vec<Case>, ReadError> {
    let text = text::decode(bytes);
    let report: Report = json::from_str(&text).map_err(|error| ReadError::json(Format::Jest, &error))?;
    let mut cases = Vec::new();
    for file in &report.files {
        let name = base.relative(&file.name);
        cases.extend(file.tests.iter().map(|test| test.case(&name, base)));
        if file.tests.is_empty() && file.status != "passed" && file.status != "skipped" {
            let attempt = Attempt::new(Outcome::Failed, None, &file.message);
            cases.push(Case::once(identity::id(base, [name.as_str()]), attempt));
        }
    }
    Ok(cases)
}

#[derive(Deserialize)]
struct Report {
    #[serde(rename = "testResults", default)]
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    name: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    message: String,
    #[serde(rename = "assertionResults", default)]
    tests: Vec<Test>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test {
    #[serde(default)]
    ancestor_titles: Vec<String>,
    #[serde(default)]
    title: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    duration: Option<f64>,
    #[serde(default)]
    failure_messages: Option<Vec<String>>,
    #[serde(default)]
    location: Option<SourceLine>,
    #[serde(default)]
    invocations: Option<u32>,
    #[serde(default)]
    retry_reasons: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct SourceLine {
    #[serde(default)]
    line: u32,
}

impl Test {
    fn case(&self, file: &str, base: &Base) -> Case {
        let titles = self.ancestor_titles.iter().map(String::as_str);
        let id = identity::id(base, [file].into_iter().chain(titles).chain([self.title.as_str()]));
        Case {
            id,
            line: self.location.as_ref().map_or(0, |location| location.line),
            attempts: self.attempts(),
        }
    }

    fn attempts(&self) -> Vec<Attempt> {
        let failures = self.failure_messages.as_deref().unwrap_or_default();
        let outcome = match self.status.as_str() {
            "passed" => Outcome::Passed,
            "failed" => Outcome::Failed,
            _ => Outcome::Skipped,
        };
        let reasons = self.retry_reasons.as_deref().unwrap_or_default();
        let before = if outcome == Outcome::Passed && self.invocations.is_none() {
            failures.len() as u32
        } else {
            self.invocations.unwrap_or(1).saturating_sub(1)
        };
        let earlier = (0..before.min(TRIES) as usize).map(|index| {
            let reason =
                reasons.get(index).or(failures.get(index)).map_or("failed and was run again", String::as_str);
            Attempt::new(Outcome::Failed, None, reason)
        });
        earlier.chain([Attempt::new(outcome, self.duration, &failures.join("\n"))]).collect()
    }
}

#[cfg(test)]
mod tests {
    use Outcome::{Failed, Passed, Skipped};

    use super::*;

    fn outcomes(test: &str) -> Vec<Outcome> {
        let json = format!(
            r#"{{"numTotalTests":1,"testResults":[{{"name":"/home/ann/shop/a.test.js","status":"x","assertionResults":[
            {{"ancestorTitles":["cart"],"title":"adds up",{test}}}]}}]}}"#
        );
        let cases = read(json.as_bytes(), &Base::new("/home/ann/shop")).unwrap();
        assert_eq!(cases[0].id, "a.test.js::cart::adds up");
        cases[0].attempts.iter().map(|attempt| attempt.outcome).collect()
    }

    #[test]
    fn every_try_is_told() {
        let table = [
            (r#""status":"passed","failureMessages":[]"#, vec![Passed]),
            (r#""status":"failed","failureMessages":["a","b"]"#, vec![Failed]),
            (r#""status":"pending""#, vec![Skipped]),
            (r#""status":"todo","duration":null,"location":null"#, vec![Skipped]),
            (r#""status":"passed","invocations":3,"retryReasons":["a"]"#, vec![Failed, Failed, Passed]),
            (r#""status":"failed","invocations":2,"failureMessages":["a"]"#, vec![Failed, Failed]),
            (r#""status":"passed","failureMessages":["first try"]"#, vec![Failed, Passed]),
        ];
        for (test, expected) in table {
            assert_eq!(outcomes(test), expected, "{test}");
        }
    }
}
