//! Results of `steady run`.

use std::time::Duration;

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use steady_suite::Failure;

/// The results of a suite, collected for JUnit XML.
#[derive(Debug)]
pub struct JunitReport {
    suite: TestSuite,
    repeated: bool,
}

impl JunitReport {
    /// Results of the suite `name`; with `repeated` the round becomes part of a test's name.
    pub fn new(name: &str, repeated: bool) -> Self {
        Self { suite: TestSuite::new(name), repeated }
    }

    /// Adds one run of a test.
    pub fn add(&mut self, test: &str, class: &str, round: u32, failures: &[Failure], elapsed: Duration) {
        let name = if self.repeated { format!("{test}[{}]", round + 1) } else { test.to_owned() };
        let mut case = TestCase::new(name, status(failures));
        case.set_classname(class);
        case.set_time(elapsed);
        self.suite.add_test_case(case);
    }

    /// The suite with its results.
    pub fn into_suite(self) -> TestSuite {
        self.suite
    }
}

fn status(failures: &[Failure]) -> TestCaseStatus {
    let Some(first) = failures.first() else { return TestCaseStatus::success() };
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(first.to_string());
    let described = failures.iter().map(|failure| match &failure.diff {
        Some(diff) => format!("{failure}\n{diff}"),
        None => failure.to_string(),
    });
    status.set_description(described.collect::<Vec<_>>().join("\n"));
    status
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::junit::xml;

    #[test]
    fn failures_carry_their_message_and_differences() {
        let mut report = JunitReport::new("Shop <&>", true);
        let failure = Failure {
            call: 0,
            operation: Some("GET /orders".parse().unwrap()),
            message: "status: expected 200, got 500".into(),
            diff: Some("  body: \"\u{1b}x\"".into()),
        };
        report.add("a", "successes", 0, &[], Duration::from_millis(2));
        report.add("a", "successes", 1, &[failure], Duration::from_millis(3));
        insta::assert_snapshot!(xml(report.into_suite(), Duration::from_millis(5)).unwrap());
    }
}
