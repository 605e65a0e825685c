//! What is read from the reports of real runners (`tests/data`).
#![expect(clippy::unwrap_used, reason = "a test's helpers may panic as the test does")]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use steady_model::rerun::{Outcome, TestResult};
use steady_results::{Base, Format, read};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// pytest's dotted names need the files, the other reports name the folder they were written in.
fn base(report: &str) -> Base {
    if report.starts_with("pytest/") { Base::new(data().join("pytest")) } else { Base::new("/project") }
}

fn results(report: &str) -> Vec<TestResult> {
    let bytes = fs::read(data().join(report)).unwrap();
    read(&bytes, &base(report)).unwrap()
}

/// A line per result: outcome, id, and the first line of the message.
fn listing(report: &str) -> String {
    let mut lines = String::new();
    for result in results(report) {
        let outcome = match result.outcome {
            Outcome::Passed => "passed ",
            Outcome::Failed => "failed ",
            Outcome::Skipped => "skipped",
        };
        write!(lines, "{outcome} {}", result.id).unwrap();
        if let Some(first) = result.message.as_deref().and_then(|message| message.lines().next()) {
            write!(lines, "  | {}", first.trim()).unwrap();
        }
        lines.push('\n');
    }
    lines
}

fn ids(report: &str) -> BTreeSet<String> {
    results(report).into_iter().map(|result| result.id.to_string()).collect()
}

const REPORTS: [(&str, Format); 28] = [
    ("pytest/xunit1-reruns.xml", Format::Junit),
    ("pytest/xunit2.xml", Format::Junit),
    ("pytest/json-report.json", Format::PytestJson),
    ("pytest/report-log.jsonl", Format::PytestLog),
    ("pytest/report-log-reruns.jsonl", Format::PytestLog),
    ("jest/jest.json", Format::Jest),
    ("jest/jest-junit.xml", Format::Junit),
    ("vitest/vitest.json", Format::Jest),
    ("vitest/vitest-junit.xml", Format::Junit),
    ("vitest/vitest.tap", Format::Tap),
    ("vitest/vitest-flat.tap", Format::Tap),
    ("playwright/playwright.json", Format::Playwright),
    ("playwright/playwright-junit.xml", Format::Junit),
    ("playwright/playwright-junit-retries.xml", Format::Junit),
    ("node/node.tap", Format::Tap),
    ("node/node-junit.xml", Format::Junit),
    ("mocha/tap12.tap", Format::Tap),
    ("mocha/tap13.tap", Format::Tap),
    ("surefire/TEST-shop.CartTest.xml", Format::Junit),
    ("surefire/TEST-shop.OrderTest.xml", Format::Junit),
    ("gradle/TEST-shop.CartTest.xml", Format::Junit),
    ("gradle/TEST-shop.HoldsTest.xml", Format::Junit),
    ("gradle/TEST-shop.OrderTest.xml", Format::Junit),
    ("nextest/nextest-junit.xml", Format::Junit),
    ("nextest/libtest-json.jsonl", Format::Libtest),
    ("nextest/libtest-json-plus.jsonl", Format::Libtest),
    ("cargo-test/libtest.jsonl", Format::Libtest),
    ("go/go-test.jsonl", Format::Go),
];

#[test]
fn the_format_is_known_by_the_content() {
    for (report, format) in REPORTS {
        assert_eq!(Format::detect(&fs::read(data().join(report)).unwrap()), Some(format), "{report}");
    }
    for no_report in
        ["README.md", "pytest/tests/test_cart.py", "surefire/source/pom.xml", "go/source/cart_test.go"]
    {
        assert_eq!(Format::detect(&fs::read(data().join(no_report)).unwrap()), None, "{no_report}");
    }
}

#[test]
fn reports_are_read_as_their_runners_meant_them() {
    let further = ["go/gotestsum.xml", "perl/cart.tap", "perl/prove.txt"];
    for report in REPORTS.into_iter().map(|(report, _)| report).chain(further) {
        insta::assert_snapshot!(report.replace('/', "-"), listing(report));
    }
}

#[test]
fn one_runner_gives_the_same_ids_in_every_format() {
    let pytest = ids("pytest/json-report.json");
    for other in ["xunit1-reruns.xml", "xunit2.xml", "report-log.jsonl", "report-log-reruns.jsonl"] {
        assert_eq!(ids(&format!("pytest/{other}")), pytest, "{other}");
    }
    assert_eq!(ids("nextest/libtest-json.jsonl"), ids("nextest/libtest-json-plus.jsonl"));
    // The JUnit report leaves ignored tests out.
    let ignored = BTreeSet::from(["shop::cart::tests::is_skipped".to_owned()]);
    assert_eq!(&ids("nextest/libtest-json.jsonl") - &ids("nextest/nextest-junit.xml"), ignored);
    // The JUnit report names files relative to `testDir`, which it does not contain.
    let from_root =
        ids("playwright/playwright-junit.xml").iter().map(|id| format!("playwright/{id}")).collect();
    assert_eq!(ids("playwright/playwright.json"), from_root);
    assert_eq!(ids("playwright/playwright-junit.xml"), ids("playwright/playwright-junit-retries.xml"));
    assert_eq!(ids("vitest/vitest.json"), ids("vitest/vitest.tap"));
    assert_eq!(ids("mocha/tap12.tap"), ids("mocha/tap13.tap"));
    // Node.js 20 escapes a quotation mark in an attribute twice.
    let quoted = ids("node/node-junit.xml").iter().map(|id| id.replace("&quot;", "\"")).collect();
    assert_eq!(ids("node/node.tap"), quoted);
}

#[test]
fn a_pass_after_a_failure_is_told_as_both() {
    let table = [
        ("playwright/playwright.json", "playwright/cart.spec.js::cart::passes at the second try [phone]", 2),
        (
            "playwright/playwright-junit-retries.xml",
            "cart.spec.js::cart::passes at the second try [phone]",
            2,
        ),
        ("surefire/TEST-shop.CartTest.xml", "shop.CartTest::passesAtTheThirdTry", 3),
        ("nextest/nextest-junit.xml", "shop::api::passes_at_the_second_try", 2),
        ("nextest/libtest-json.jsonl", "shop::api::passes_at_the_second_try", 2),
        ("jest/jest.json", "jest/cart.test.cjs::passes at the second try", 2),
        ("vitest/vitest.json", "vitest/cart.test.js::passes at the second try", 2),
    ];
    for (report, id, tries) in table {
        let outcomes: Vec<Outcome> = results(report)
            .into_iter()
            .filter(|result| result.id.as_str() == id)
            .map(|result| result.outcome)
            .collect();
        let mut expected = vec![Outcome::Failed; tries - 1];
        expected.push(Outcome::Passed);
        assert_eq!(outcomes, expected, "{report}");
    }
}
