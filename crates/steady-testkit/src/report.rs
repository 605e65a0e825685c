//! What a runner said about its tests.

use std::path::Path;

use crate::RunnerError;

/// The outcome of a run, test by test.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunReport {
    /// The keys of the tests that passed, sorted.
    pub passed: Vec<String>,
    /// The keys of the tests that failed, sorted.
    pub failed: Vec<String>,
    /// What the runner printed.
    pub output: String,
}

impl RunReport {
    /// What a test is called in a report: its name in the suite, or in any language, without case and separators.
    pub fn key(name: &str) -> String {
        let name = name.rsplit('/').next().unwrap_or(name);
        let name = name.strip_prefix("test_").unwrap_or(name);
        let name = name.split_once(".").map_or(name, |(stem, _)| stem);
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    }

    /// A report of named outcomes.
    pub(crate) fn new(outcomes: impl IntoIterator<Item = (String, bool)>, output: String) -> Self {
        let mut report = Self { output, ..Self::default() };
        for (name, passed) in outcomes {
            let list = if passed { &mut report.passed } else { &mut report.failed };
            list.push(Self::key(&name));
        }
        report.passed.sort_unstable();
        report.failed.sort_unstable();
        report
    }

    /// Reads files of JUnit XML.
    pub(crate) fn from_junit(files: &[impl AsRef<Path>], output: String) -> Result<Self, RunnerError> {
        let mut outcomes = Vec::new();
        for path in files {
            let path = path.as_ref();
            let unreadable = |reason: String| RunnerError::Report {
                path: path.to_owned(),
                reason,
                output: output.clone(),
            };
            let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
            let report =
                junit_parser::from_reader(text.as_bytes()).map_err(|error| unreadable(error.to_string()))?;
            for suite in report.suites {
                for case in suite.cases {
                    let passed = case.status.is_success();
                    outcomes.push((case.original_name, passed));
                }
            }
        }
        Ok(Self::new(outcomes, output))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_has_the_same_key_in_every_language() {
        for name in
            ["test_get_v1_orders", "getV1Orders()", "get v1 orders", "./successes/get_v1_orders.cookies.hurl"]
        {
            assert_eq!(RunReport::key(name), "getv1orders");
        }
    }
}
