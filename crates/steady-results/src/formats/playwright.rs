//! Playwright's JSON reporter: `npx playwright test --reporter=json`.
//!
//! A file holds describe blocks, a block holds specs, a spec is run once per project, and every project's test has a
//! result per try. Files are relative to `config.rootDir`, which is absolute. A test may be expected to fail: what counts
//! is whether a result is the expected one. A test that failed and passed on retry has several results here, therefore
//! Playwright's `flaky` is counted as a failure and a pass.

use serde::Deserialize;
use steady_model::rerun::Outcome;

use super::json;
use crate::base::Base;
use crate::case::{Attempt, Case};
use crate::error::ReadError;
use crate::format::Format;
use crate::{identity, text};

pub(crate) fn sniff(start: &[u8]) -> bool {
    json::begins_with_keys(start, &["config", "rootDir"])
}

pub(crate) fn read(bytes: &[u8], base: &Base) -> Result<Vec<Case>, ReadError> {
    let text = text::decode(bytes);
    let report: Report =
        json::from_str(&text).map_err(|error| ReadError::json(Format::Playwright, &error))?;
    let root = format!("{}/", report.config.root.trim_end_matches(['/', '\\']));
    let mut cases = Vec::new();
    for suite in &report.suites {
        // The outermost suite is the file; its title says the same.
        suite.cases(&mut Vec::new(), &root, base, &mut cases);
    }
    // Errors outside of any test: a file that cannot be loaded, a broken configuration.
    for error in &report.errors {
        let file = error.location.as_ref().map_or("playwright", |location| &location.file);
        let id = identity::id(base, [base.relative(file).as_str()]);
        cases.push(Case::once(id, Attempt::new(Outcome::Failed, None, error.text())));
    }
    Ok(cases)
}

#[derive(Deserialize)]
struct Report {
    config: Config,
    #[serde(default)]
    suites: Vec<Suite>,
    #[serde(default)]
    errors: Vec<Failure>,
}

#[derive(Deserialize)]
struct Config {
    #[serde(rename = "rootDir")]
    root: String,
}

#[derive(Deserialize)]
struct Suite {
    #[serde(default)]
    title: String,
    #[serde(default)]
    file: String,
    #[serde(default)]
    specs: Vec<Spec>,
    #[serde(default)]
    suites: Vec<Suite>,
}

#[derive(Deserialize)]
struct Spec {
    title: String,
    #[serde(default)]
    file: String,
    #[serde(default)]
    line: u32,
    #[serde(default)]
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Test {
    #[serde(rename = "projectName", default)]
    project: String,
    #[serde(rename = "expectedStatus", default)]
    expected: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    annotations: Vec<Annotation>,
    #[serde(default)]
    results: Vec<TestRun>,
}

#[derive(Deserialize)]
struct Annotation {
    #[serde(default)]
    description: Option<String>,
}

#[derive(Deserialize)]
struct TestRun {
    #[serde(default)]
    status: Option<String>,
    #[serde(default)]
    duration: Option<f64>,
    #[serde(default)]
    error: Option<Failure>,
}

#[derive(Deserialize)]
struct Failure {
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    stack: Option<String>,
    #[serde(default)]
    value: Option<String>,
    #[serde(default)]
    location: Option<SourceFile>,
}

#[derive(Deserialize)]
struct SourceFile {
    #[serde(default)]
    file: String,
}

impl Failure {
    fn text(&self) -> &str {
        [&self.stack, &self.message, &self.value].into_iter().flatten().next().map_or("", String::as_str)
    }
}

impl Suite {
    fn cases<'a>(&'a self, titles: &mut Vec<&'a str>, root: &str, base: &Base, cases: &mut Vec<Case>) {
        let titled = self.title != self.file;
        if titled {
            titles.push(&self.title);
        }
        for spec in &self.specs {
            let file = base.relative(&format!("{root}{}", spec.file));
            for test in &spec.tests {
                let parts =
                    [file.as_str()].into_iter().chain(titles.iter().copied()).chain([spec.title.as_str()]);
                let mut id = identity::id(base, parts);
                if !test.project.is_empty() {
                    id = format!("{id} [{}]", test.project);
                }
                cases.push(Case { id, line: spec.line, attempts: test.attempts() });
            }
        }
        for suite in &self.suites {
            suite.cases(titles, root, base, cases);
        }
        if titled {
            titles.pop();
        }
    }
}

impl Test {
    fn attempts(&self) -> Vec<Attempt> {
        let reason =
            self.annotations.iter().find_map(|annotation| annotation.description.as_deref()).unwrap_or("");
        if self.status == "skipped" || self.results.is_empty() {
            return vec![Attempt::new(Outcome::Skipped, None, reason)];
        }
        self.results.iter().map(|run| self.attempt(run)).collect()
    }

    fn attempt(&self, run: &TestRun) -> Attempt {
        let status = run.status.as_deref().unwrap_or("interrupted");
        if status == self.expected {
            return Attempt::new(Outcome::Passed, run.duration, "");
        }
        let said = run.error.as_ref().map_or("", Failure::text);
        if !said.is_empty() {
            return Attempt::new(Outcome::Failed, run.duration, said);
        }
        Attempt::new(
            Outcome::Failed,
            run.duration,
            &format!("expected to be {}, was {status}", self.expected),
        )
    }
}

#[cfg(test)]
mod tests {
    use Outcome::{Failed, Passed, Skipped};

    use super::*;

    fn outcomes(expected: &str, status: &str, results: &[&str]) -> Vec<Outcome> {
        let results: Vec<String> =
            results.iter().map(|status| format!(r#"{{"status":"{status}"}}"#)).collect();
        let json = format!(
            r#"{{"config":{{"rootDir":"/home/ann/shop/e2e"}},"suites":[{{"title":"a.spec.ts","file":"a.spec.ts","specs":[
            {{"title":"t","file":"a.spec.ts","tests":[
            {{"projectName":"webkit","expectedStatus":"{expected}","status":"{status}","results":[{}]}}]}}]}}]}}"#,
            results.join(",")
        );
        let cases = read(json.as_bytes(), &Base::new("/home/ann/shop")).unwrap();
        assert_eq!(cases[0].id, "e2e/a.spec.ts::t [webkit]");
        cases[0].attempts.iter().map(|attempt| attempt.outcome).collect()
    }

    #[test]
    fn every_try_counts_by_what_was_expected_of_it() {
        assert_eq!(outcomes("passed", "expected", &["passed"]), [Passed]);
        assert_eq!(outcomes("passed", "flaky", &["failed", "timedOut", "passed"]), [Failed, Failed, Passed]);
        assert_eq!(outcomes("passed", "unexpected", &["interrupted"]), [Failed]);
        assert_eq!(outcomes("failed", "expected", &["failed"]), [Passed]);
        assert_eq!(outcomes("failed", "unexpected", &["passed"]), [Failed]);
        assert_eq!(outcomes("skipped", "skipped", &["skipped"]), [Skipped]);
        assert_eq!(outcomes("passed", "skipped", &[]), [Skipped]);
    }
}
