//! `steady waits tune` with real test runners: tests whose needed wait is known.

use std::path::Path;

use serde_json::Value;
use steady_testkit::waits::{RIGHT, WaitsProject, WaitsRunner};

use super::waits;
use crate::support::{Invocation, Outcome};

/// `steady waits tune` in a new project of a runner.
fn tune(runner: WaitsRunner, arguments: &[&str]) -> Invocation {
    let mut all = vec!["tune"];
    all.extend(arguments);
    all.extend(["--format", "json", "--"]);
    let folder = tempfile::tempdir().unwrap();
    let project = WaitsProject::write(runner, folder.path()).unwrap();
    let command = project.command();
    all.extend(command.iter().map(String::as_str));
    let mut words = vec!["waits"];
    words.extend(all);
    Invocation::within(folder, words).env("PATH", &std::env::var("PATH").unwrap_or_default())
}

fn result(outcome: &Outcome) -> Value {
    outcome.result("waits_tuned")
}

/// The first wait in the file with the tests.
fn first_wait(folder: &Path) -> u64 {
    let text = std::fs::read_to_string(folder.join("cart.test.js")).unwrap();
    let rest = text.split("await wait(").nth(1).unwrap();
    rest.split(')').next().unwrap().parse().unwrap()
}

/// Tunes the wait that the failure points at; says what it became.
fn proposed(runner: WaitsRunner, arguments: &[&str]) -> u64 {
    let mut all = vec!["cart.test.js", "--write"];
    all.extend(arguments);
    let outcome = tune(runner, &all).run().exits_with(0);
    let result = result(&outcome);
    assert_eq!(result["written"], true, "{result:#}");
    let proposed = result["tuned"]["proposed"].as_u64().unwrap();
    assert_eq!(first_wait(outcome.into_folder().path()), proposed);
    proposed
}

#[test]
fn mocha_ends_at_the_shortest_value_that_holds() {
    let proposed = proposed(WaitsRunner::Mocha, &["--dynamic", "--runs", "8"]);
    assert!((RIGHT..RIGHT + 5).contains(&proposed), "{proposed}");
}

/// The file's other wait is the first candidate.
const OTHER: u64 = 300;

#[test]
fn jest_takes_the_first_candidate_that_holds() {
    assert_eq!(proposed(WaitsRunner::Jest, &["--runs", "4"]), OTHER);
}

#[test]
fn vitest_takes_the_first_candidate_that_holds() {
    assert_eq!(proposed(WaitsRunner::Vitest, &["--runs", "4"]), OTHER);
}

#[test]
fn playwright_takes_the_first_candidate_that_holds() {
    assert_eq!(proposed(WaitsRunner::Playwright, &["--runs", "4"]), OTHER);
}

#[test]
fn a_page_in_chromium_gets_the_wait_of_its_neighbour() {
    let arguments = ["cart.test.js", "--write", "--runs", "3"];
    let outcome = tune(WaitsRunner::Browser, &arguments).run().exits_with(0);
    let result = result(&outcome);
    assert_eq!(result["tuned"]["proposed"], 600, "{result:#}");
    let text = outcome.read("cart.test.js");
    assert!(text.contains("waitForTimeout(600)"), "{text}");
}

#[test]
fn shrinking_finds_shorter_waits_for_a_whole_project() {
    let folder = tempfile::tempdir().unwrap();
    let project = WaitsProject::write(WaitsRunner::Node, folder.path()).unwrap();
    let long = WaitsProject::with_wait(&project.text().unwrap(), 2000).unwrap();
    std::fs::write(folder.path().join("cart.test.js"), long).unwrap();
    let words = [
        "waits",
        "tune",
        "--shrink",
        "--runs",
        "8",
        "--write",
        "--format",
        "json",
        "--",
        "node",
        "cart.test.js",
    ];
    let outcome =
        Invocation::within(folder, words).env("PATH", &std::env::var("PATH").unwrap_or_default()).run();
    let outcome = outcome.exits_with(0);
    let result = result(&outcome);
    let wait = &result["waits"][0];
    assert_eq!(wait["before"], 2000);
    let after = wait["after"].as_u64().unwrap();
    assert!((RIGHT..RIGHT + 5).contains(&after), "{result:#}");
    assert_eq!(first_wait(outcome.into_folder().path()), after);
}

#[test]
fn when_no_candidate_is_long_enough_longer_values_are_tried() {
    // What is needed is known to the number, whatever the machine does.
    let text = |needed: u64| {
        format!(
            "const wait = ms => new Promise(done => setTimeout(() => done(ms), ms));\n\
             wait(5).then(ms => {{ if (ms < {needed}) throw new Error('too early'); }});\nwait(10);\n"
        )
    };
    let tune = |needed: u64, more: &[&str]| {
        let words = [&["tune", "a.test.js:2", "--runs", "3", "--format", "json"], more].concat();
        waits(&words).file("a.test.js", text(needed)).run()
    };
    let command = ["--", "node", "a.test.js"];
    let offered = result(&tune(0, &[]).exits_with(0));
    let candidates = offered["candidates"].as_array().unwrap().iter();
    let longest = candidates.map(|one| one["ms"].as_u64().unwrap()).max().unwrap();
    let found = result(&tune(longest + 1, &command).exits_with(0));
    assert_eq!(found["tuned"]["proposed"], 2 * longest, "{found:#}");
    // The baselines try what they found.
    let baseline = tune(longest + 1, &[&["--ranking", "frequency"], &command[..]].concat());
    assert!(baseline.exits_with(2).stderr.contains("with a wait of 10 ms too"));
}

#[test]
fn a_test_that_fails_whatever_the_wait_is_told_and_left_alone() {
    let text = "const wait = ms => new Promise(done => setTimeout(done, ms));\nwait(1).then(() => { throw new Error('broken'); });\n";
    let outcome = waits(&["tune", "a.test.js:2", "--runs", "5", "--", "node", "a.test.js"])
        .file("a.test.js", text)
        .run()
        .exits_with(2);
    assert!(outcome.stderr.contains("the test failed in all of"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("Error: broken"), "{}", outcome.stderr);
    assert_eq!(outcome.read("a.test.js"), text);
}

#[test]
fn shrinking_drops_an_import_when_the_last_wait_that_used_it_has_a_value_of_its_own() {
    let text = "const { NAP, LATE } = require('./times.cjs');\nconst { setTimeout: sleep } = require('node:timers/promises');\n\
                const main = async () => {\n  await sleep(NAP);\n  await sleep(NAP);\n  console.log(LATE);\n};\nmain();\n";
    let times = "module.exports = { NAP: 20, LATE: 5 };\n";
    let outcome =
        waits(&["tune", "--shrink", "a.test.js", "--runs", "3", "--write", "--", "node", "a.test.js"])
            .file("a.test.js", text)
            .file("times.cjs", times)
            .run()
            .exits_with(0);
    let expected = text.replace("NAP, LATE }", "LATE }").replace("sleep(NAP)", "sleep(0)");
    assert_eq!(outcome.read("a.test.js"), expected);
    assert_eq!(outcome.read("times.cjs"), times);
}
