//! Verdicts of `steady rerun`: one case per test, failed when the test is not stable.

use std::time::Duration;

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use steady_model::rerun::{RerunReport, TestReport, Verdict};

use super::report::sentence;

/// The verdicts as a suite.
pub fn suite(report: &RerunReport) -> TestSuite {
    let mut suite = TestSuite::new(report.command.join(" "));
    suite.add_test_cases(report.tests.iter().map(case));
    suite
}

fn case(test: &TestReport) -> TestCase {
    let (class, name) = test.id.as_str().rsplit_once("::").unwrap_or(("", test.id.as_str()));
    let mut case = TestCase::new(name, status(test));
    if !class.is_empty() {
        case.set_classname(class);
    }
    if let Some(milliseconds) = test.median_milliseconds {
        case.set_time(Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default());
    }
    case
}

fn status(test: &TestReport) -> TestCaseStatus {
    match test.verdict {
        Verdict::Stable => TestCaseStatus::success(),
        // A failure counts even where there were too few runs to say more about it.
        Verdict::Undecided if test.all.failed == 0 => TestCaseStatus::success(),
        Verdict::Skipped => TestCaseStatus::skipped(),
        Verdict::Flaky | Verdict::Sensitive | Verdict::Broken | Verdict::Undecided => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type(test.verdict.to_string());
            status.set_message(sentence(test));
            if let Some(difference) = &test.difference {
                status.set_description(difference.message.clone());
            }
            status
        }
    }
}
