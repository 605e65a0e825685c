//! What a runner said about its tests.

use std::path::Path;

use crate::RunnerError;

/// The outcome of a run, test by test.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunReport {
    /// The tests that passed, by their suite name, sorted.
    pub passed: Vec<String>,
    /// The tests that failed, by their suite name, sorted.
    pub failed: Vec<String>,
    /// What the runner printed.
    pub output: String,
}

impl RunReport {
    /// A report of named outcomes.
    pub(crate) fn new(outcomes: impl IntoIterator<Item = (String, bool)>, output: String) -> Self {
        let mut report = Self { output, ..Self::default() };
        for (name, passed) in outcomes {
            let list = if passed { &mut report.passed } else { &mut report.failed };
            list.push(suite_name(&name));
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

/// The name a test has in the suite, from its name in a language: `test_a_b`, `aB()` and `a b` are all `a_b`.
fn suite_name(name: &str) -> String {
    let name = name.strip_prefix("test_").unwrap_or(name).trim_end_matches("()");
    let mut suite_name = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            suite_name.push('_');
        }
        suite_name.push(if c == ' ' { '_' } else { c.to_ascii_lowercase() });
    }
    suite_name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_suite() {
        for name in ["test_get_orders_works", "getOrdersWorks()", "get orders works", "get_orders_works"] {
            assert_eq!(suite_name(name), "get_orders_works");
        }
    }
}
