//! Every version of every runner in the matrix, against a project with a test of each kind.

use std::path::Path;

use serde_json::Value;
use steady_testkit::matrix::{Installed, RELEASES, Release};

use super::{report, steady};
use crate::support::{Invocation, Outcome};

const RUNS: u64 = 4;

/// The kinds of tests in each project: a part of the name, and how often it passes, fails and is skipped.
const KINDS: [(&str, [u64; 3]); 7] = [
    ("passes", [RUNS, 0, 0]),
    ("fails", [0, RUNS, 0]),
    ("fails every second time", [RUNS / 2, RUNS / 2, 0]),
    ("passes on its second attempt", [RUNS, RUNS, 0]),
    ("is skipped", [0, 0, RUNS]),
    ("doubles 1", [RUNS, 0, 0]),
    ("doubles 2", [RUNS, 0, 0]),
];

fn rerun(release: Release, options: &[&str]) -> Outcome {
    let installed = release.install().unwrap();
    let interpreter = match &installed {
        Installed::Interpreter(python) => python.to_str().unwrap().to_owned(),
        Installed::Modules(_) => "npx".to_owned(),
    };
    let command: Vec<&str> = match release.runner {
        "pytest" => vec![&interpreter, "-m", "pytest", "-p", "no:cacheprovider"],
        "vitest" => vec![&interpreter, "vitest", "run"],
        "playwright" => vec![&interpreter, "playwright", "test"],
        other => vec![&interpreter, other],
    };
    let arguments = [&["rerun", "--no-store"], options, &["--"], &command].concat();
    let project =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command/projects/matrix").join(release.runner);
    let invocation = surrounded(steady(&arguments).files_of(&project));
    if let Installed::Modules(modules) = installed {
        std::os::unix::fs::symlink(modules, invocation.folder().join("node_modules")).unwrap();
    }
    invocation.run()
}

fn surrounded(invocation: Invocation) -> Invocation {
    let invocation = invocation.env("CI", "1").env("PYTHONDONTWRITEBYTECODE", "1");
    match std::env::var("HOME") {
        Ok(home) => invocation.env("HOME", &home),
        Err(_) => invocation,
    }
}

/// The title, however the runner writes it: `test_doubles[1]` is `doubles 1`.
fn kind(test: &Value) -> String {
    let id = test["id"].as_str().unwrap();
    let name = id.rsplit("::").next().unwrap();
    name.strip_prefix("test_").unwrap_or(name).replace(['_', '['], " ").replace(']', "")
}

#[track_caller]
fn sees_every_kind(release: Release) {
    let outcome = rerun(release, &["--runs", "4", "--perturb", "off"]).exits_with(1);
    let report = report(&outcome);
    let tests = report["tests"].as_array().unwrap();
    assert_eq!(report["runs"], RUNS, "{report:#}");
    assert_eq!(tests.len(), KINDS.len(), "no test is missing and none is made up: {report:#}");
    for (name, counts) in KINDS {
        let test =
            tests.iter().find(|test| kind(test) == name).unwrap_or_else(|| panic!("no {name}: {report:#}"));
        let seen = ["passed", "failed", "skipped"].map(|what| test["all"][what].as_u64().unwrap());
        assert_eq!(seen, counts, "{test:#}\n{}", outcome.stdout);
        let message = test["difference"]["message"].as_str().unwrap_or_default();
        match name {
            "passes on its second attempt" => {
                assert_eq!(test["verdict"], "flaky", "{test:#}");
                assert!(message.contains("boom"), "{test:#}");
            }
            "fails every second time" => assert!(message.contains("every second time"), "{test:#}"),
            _ => {}
        }
    }
}

#[track_caller]
fn holds(runner: &str) {
    let releases: Vec<Release> = RELEASES.into_iter().filter(|release| release.runner == runner).collect();
    assert!(releases.len() >= 3, "{releases:?}");
    for release in releases {
        sees_every_kind(release);
    }
}

#[test]
fn pytest_7_to_9() {
    holds("pytest");
}

#[test]
fn jest_28_to_30() {
    holds("jest");
}

#[test]
fn vitest_1_to_4() {
    holds("vitest");
}

#[test]
fn mocha_10_to_12() {
    holds("mocha");
}

#[test]
fn playwright_over_two_years() {
    holds("playwright");
}
