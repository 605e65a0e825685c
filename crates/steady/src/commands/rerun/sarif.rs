//! Flaky tests as SARIF.

use steady_model::rerun::{RerunReport, TestReport, Verdict};

use super::report::sentence;
use crate::sarif::{
    ArtifactLocation, Finding, Fingerprints, Level, Location, Log, LogicalLocation, Message,
    PhysicalLocation, Rule, encoded,
};

/// What reruns found, one result per test that is not stable.
pub fn of_rerun(report: &RerunReport) -> Log {
    let results = report.tests.iter().filter_map(finding).collect();
    let rules = [Verdict::Flaky, Verdict::Sensitive, Verdict::Broken].into_iter().filter_map(rule).collect();
    Log::new(rules, results)
}

fn rule(verdict: Verdict) -> Option<Rule> {
    let (id, description, help) = match verdict {
        Verdict::Flaky => (
            "flaky-test",
            "The test both passes and fails on the same code.",
            "Remove the cause that the category names: time, randomness, order of a set, state left by other tests, a race.",
        ),
        Verdict::Sensitive => (
            "sensitive-test",
            "The test fails when its environment changes.",
            "Make the test set up what it depends on, or state its requirements.",
        ),
        Verdict::Broken => {
            ("broken-test", "The test fails in every run.", "Fix the test, or the code it tests.")
        }
        Verdict::Stable | Verdict::Undecided | Verdict::Skipped => return None,
    };
    let message = |text: &str| Message { text: text.to_owned() };
    Some(Rule { id, short_description: message(description), help: message(help) })
}

fn finding(test: &TestReport) -> Option<Finding> {
    let rule = rule(test.verdict)?;
    let level = if test.verdict == Verdict::Sensitive { Level::Warning } else { Level::Error };
    let physical_location = file_of(test).map(|file| PhysicalLocation {
        artifact_location: ArtifactLocation { uri: encoded(file) },
        region: None,
    });
    let name = test.id.as_str().to_owned();
    Some(Finding {
        rule_id: rule.id,
        level,
        message: Message { text: sentence(test) },
        locations: vec![Location {
            physical_location,
            logical_locations: vec![LogicalLocation { fully_qualified_name: name.clone() }],
        }],
        partial_fingerprints: Fingerprints { steady: name },
    })
}

/// The endings of files that tests are written in. A Java class (`shop.CartTest`) looks like a file and is none.
const SOURCES: [&str; 18] = [
    "py", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "rs", "go", "java", "kt", "rb", "php", "sh",
    "bats", "t",
];

/// The file a test stands in, when its name begins with one.
pub fn file_of(test: &TestReport) -> Option<&str> {
    let (first, _) = test.id.as_str().split_once("::")?;
    let (stem, extension) = first.rsplit_once('.')?;
    (!stem.is_empty() && SOURCES.contains(&extension) && !first.contains(char::is_control)).then_some(first)
}
