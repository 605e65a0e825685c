//! What `steady run` prints.
//!
//! ```text
//! FAIL get_order_returns_200 (12 ms)
//!   call 2, GET /orders/{id}: body:/total: expected 3, got 7
//!
//! 41 tests: 40 passed, 1 failed in 0.12 s (341 tests/s)
//! ```

use std::collections::BTreeMap;
use std::time::Duration;

use steady_suite::Failure;

use crate::ui::{Verbosity, counted, escape_controls, escape_lines, grouped};

const FAIL: anstyle::Style = anstyle::AnsiColor::Red.on_default().bold();
const PASS: anstyle::Style = anstyle::AnsiColor::Green.on_default();

/// Counts the tests of a run as they finish.
#[derive(Debug, Default)]
pub struct RunReport {
    tests: BTreeMap<String, Tally>,
}

#[derive(Debug, Default)]
struct Tally {
    passed: usize,
    failed: usize,
}

impl RunReport {
    /// Notes one run of a test; the returned text is what to print about it, if anything.
    pub fn note(
        &mut self,
        test: &str,
        failures: &[Failure],
        elapsed: Duration,
        verbosity: Verbosity,
    ) -> Option<String> {
        let tally = self.tests.entry(test.to_owned()).or_default();
        let milliseconds = elapsed.as_secs_f64() * 1000.0;
        let name = escape_controls(test);
        if failures.is_empty() {
            tally.passed += 1;
            let line = format!("{PASS}PASS{PASS:#} {name} ({milliseconds:.0} ms)\n");
            return (verbosity == Verbosity::Verbose).then_some(line);
        }
        tally.failed += 1;
        let mut text = format!("{FAIL}FAIL{FAIL:#} {name} ({milliseconds:.0} ms)\n");
        for failure in failures {
            text.push_str(&failure_lines(failure));
        }
        Some(text)
    }

    /// How many runs failed.
    pub fn failed(&self) -> usize {
        self.tests.values().map(|tally| tally.failed).sum()
    }

    /// The last line, in which a test that passed and failed is called flaky.
    pub fn summary(&self, elapsed: Duration, interrupted: bool) -> String {
        let runs: usize = self.tests.values().map(|tally| tally.passed + tally.failed).sum();
        let failed = self.failed();
        let rate = runs as f64 / elapsed.as_secs_f64().max(0.000_001);
        let repeated =
            if runs > self.tests.len() { format!(", {}", counted(runs, "run")) } else { String::new() };
        let flaky = self.tests.values().filter(|tally| tally.passed > 0 && tally.failed > 0).count();
        let flaky = if flaky > 0 {
            format!("; {} both passed and failed", counted(flaky, "test"))
        } else {
            String::new()
        };
        let cut_short = if interrupted { "; interrupted" } else { "" };
        format!(
            "{}{repeated}: {} passed, {} failed in {:.2} s ({} tests/s){flaky}{cut_short}\n",
            counted(self.tests.len(), "test"),
            grouped((runs - failed) as u64),
            grouped(failed as u64),
            elapsed.as_secs_f64(),
            grouped(rate.round() as u64),
        )
    }
}

fn failure_lines(failure: &Failure) -> String {
    let mut text = format!("  {}\n", escape_controls(&failure.to_string()));
    if let Some(diff) = &failure.diff {
        for line in escape_lines(diff).lines() {
            text.push_str(&format!("    {line}\n"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(message: &str, diff: Option<&str>) -> Failure {
        Failure {
            call: 1,
            operation: Some("GET /orders/{id}".parse().unwrap()),
            message: message.into(),
            diff: diff.map(str::to_owned),
        }
    }

    #[test]
    fn failures_are_shown_with_their_differences_and_escaped() {
        let mut report = RunReport::default();
        let failures = [failure("body:/total: expected 3, got 7", Some("- a\n+ b\u{1b}[0m"))];
        let text = report.note("get_order", &failures, Duration::from_millis(12), Verbosity::Normal).unwrap();
        assert_eq!(
            anstream::adapter::strip_str(&text).to_string(),
            "FAIL get_order (12 ms)\n  call 2, GET /orders/{id}: body:/total: expected 3, got 7\n    - a\n    + b\\u{1b}[0m\n"
        );
    }

    #[test]
    fn a_test_that_passed_and_failed_is_called_out() {
        let mut report = RunReport::default();
        report.note("a", &[], Duration::ZERO, Verbosity::Normal);
        report.note("a", &[failure("x", None)], Duration::ZERO, Verbosity::Normal);
        report.note("b", &[], Duration::ZERO, Verbosity::Normal);
        assert_eq!(
            report.summary(Duration::from_secs(2), false),
            "2 tests, 3 runs: 2 passed, 1 failed in 2.00 s (2 tests/s); 1 test both passed and failed\n"
        );
    }
}
