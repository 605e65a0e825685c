//! Emitted suites, run by the real runners against a live API.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use steady_emit::{Emitter, emit};
use steady_model::Suite;
use steady_testkit::{Fixture, RunReport, Runner};

/// Emits both suites into one project, runs it once, and compares what every test did.
fn passes_and_fails_as_expected(emitter: Emitter) {
    let fixture = Fixture::start().unwrap();
    let mut suite = Fixture::suite();
    let right: Vec<String> = suite.tests.iter().map(|test| test.name.clone()).collect();
    let wrong = wrong_expectations();
    let wrong_names: Vec<String> = wrong.tests.iter().map(|test| test.name.clone()).collect();
    suite.tests.extend(wrong.tests);

    let folder = tempfile::tempdir().unwrap();
    write(&suite, emitter, folder.path());
    let runner = Runner::named(emitter.as_str()).unwrap();
    let report = runner.run(folder.path(), fixture.url(), &Fixture::environment()).unwrap();

    assert_eq!((&report.passed, &report.failed), (&keys(right), &keys(wrong_names)), "{}", report.output);
    assert_eq!(fixture.items(), 0, "everything created is removed, also by tests that fail");
}

fn keys(names: Vec<String>) -> Vec<String> {
    let mut keys: Vec<String> = names.iter().map(|name| RunReport::key(name)).collect();
    keys.sort_unstable();
    keys
}

fn write(suite: &Suite, emitter: Emitter, folder: &Path) {
    for file in emit(suite, emitter).unwrap() {
        let path = folder.join(&file.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file.text).unwrap();
    }
}

/// Tests that must fail, each for one reason.
fn wrong_expectations() -> Suite {
    let cases: &[(&str, &str, &str, Value)] = &[
        ("status", "values", "status", json!({"equals": 201})),
        ("number", "values", "body:/one", json!({"equals": 2})),
    ];
    let tests: Vec<Value> = cases
        .iter()
        .map(|(name, answer, place, matcher)| {
            json!({
                "name": format!("wrong_{name}"), "group": "others", "about": "Must fail.",
                "calls": [{
                    "operation": "GET /answers/{name}",
                    "request": {"method": "GET", "target": format!("/answers/{answer}")},
                    "expect": [{"where": place, "is": matcher}],
                }],
            })
        })
        .collect();
    serde_json::from_value(json!({
        "version": 1, "api": {"title": "Fixture", "url": "http://127.0.0.1:9"}, "seed": 1, "tests": tests,
    }))
    .unwrap()
}

#[test]
fn pytest() {
    passes_and_fails_as_expected(Emitter::Pytest);
}

#[test]
fn unittest() {
    passes_and_fails_as_expected(Emitter::Unittest);
}

#[test]
fn jest() {
    passes_and_fails_as_expected(Emitter::Jest);
}

#[test]
fn playwright() {
    passes_and_fails_as_expected(Emitter::Playwright);
}

#[test]
fn junit5() {
    passes_and_fails_as_expected(Emitter::Junit5);
}

#[test]
fn kotlin() {
    passes_and_fails_as_expected(Emitter::Kotlin);
}
