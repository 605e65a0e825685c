//! Real runners end to end: a test that fails in every second run is found flaky.

use std::path::{Path, PathBuf};

use super::{report, steady, verdicts};

/// The smallest project of each runner: `flaky` fails in every second run, `calm` never.
fn project(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command/projects").join(name)
}

#[track_caller]
fn finds_the_flaky_test(name: &str, runs: &str, modules: Option<PathBuf>, command: &[&str]) {
    let arguments = [&["rerun", "--runs", runs, "--perturb", "off", "--"], command].concat();
    let mut invocation = steady(&arguments).files_of(&project(name)).env("CI", "1");
    if let Ok(home) = std::env::var("HOME") {
        invocation = invocation.env("HOME", &home);
    }
    if let Some(modules) = modules {
        std::os::unix::fs::symlink(modules, invocation.folder().join("node_modules")).unwrap();
    }
    let outcome = invocation.run().exits_with(1).says("");
    let found: Vec<(String, String)> =
        verdicts(&report(&outcome)).into_iter().map(|(name, verdict, _)| (name, verdict)).collect();
    let expected = [("calm", "undecided"), ("flaky", "flaky")];
    assert_eq!(found, expected.map(|(name, verdict)| (name.to_owned(), verdict.to_owned())));
}

fn modules() -> PathBuf {
    steady_testkit::node_modules().unwrap()
}

#[test]
fn jest() {
    finds_the_flaky_test("jest", "3", Some(modules()), &["npx", "jest"]);
}

#[test]
fn vitest() {
    let modules = steady_testkit::vitest_modules().unwrap();
    finds_the_flaky_test("vitest", "3", Some(modules), &["npx", "vitest", "run"]);
}

#[test]
fn playwright() {
    finds_the_flaky_test("playwright", "3", Some(modules()), &["npx", "playwright", "test"]);
}

#[test]
fn maven() {
    finds_the_flaky_test("maven", "2", None, &["mvn", "--batch-mode", "--no-transfer-progress", "test"]);
}

#[test]
fn cargo() {
    finds_the_flaky_test("cargo", "3", None, &["cargo", "test", "--offline"]);
}
