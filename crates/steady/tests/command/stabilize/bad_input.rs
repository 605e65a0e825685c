//! What, where and what to do; and files stay as they are.

use crate::support::Invocation;

fn stabilize(arguments: &[&str]) -> Invocation {
    let mut all = vec!["stabilize"];
    all.extend(arguments);
    Invocation::new(all).env("PATH", &std::env::var("PATH").unwrap_or_default())
}

const TEST: &str = "import requests\n\ndef test_a():\n    r = requests.get('http://127.0.0.1:1/')\n    assert r.status_code == 200\n";

#[test]
fn code_without_a_command_asks_for_one() {
    stabilize(&["tests"]).file("tests/test_a.py", TEST).run().exits_with(2).prints("").says(
        "error: no test command is given\n\
         hint: add it at the end: `steady stabilize tests -- pytest`\n",
    );
}

#[test]
fn source_that_does_not_parse_is_named_and_left_alone() {
    let outcome = stabilize(&["test_a.py", "--write", "--", "pytest"]).file("test_a.py", "def (:\n").run();
    let outcome = outcome.exits_with(2).prints("");
    assert!(
        outcome.stderr.starts_with("error: ") && outcome.stderr.contains("test_a.py"),
        "{}",
        outcome.stderr
    );
    assert_eq!(outcome.read("test_a.py"), "def (:\n");
}

#[test]
fn nothing_to_look_at_is_told() {
    let outcome = stabilize(&["tests", "--", "pytest"]).file("tests/a.py", "print(1)\n").run().exits_with(2);
    assert!(outcome.stderr.contains("no assertion about an HTTP response was found"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("hint: steady reads RestAssured"), "{}", outcome.stderr);
}

#[test]
fn a_suite_whose_api_is_down_is_left_alone() {
    let suite = r#"{"version": 1, "api": {"title": "", "url": "http://127.0.0.1:1"}, "seed": 1, "tests": [
        {"name": "a", "group": "others", "about": "", "calls": [
            {"operation": "GET /", "request": {"method": "GET", "target": "/"}}]}]}"#;
    let outcome =
        stabilize(&["suite.json", "--write"]).file("suite.json", suite).run().exits_with(2).prints("");
    assert!(outcome.stderr.starts_with("error: the API does not answer"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("hint: start the API"), "{}", outcome.stderr);
    assert_eq!(std::fs::read_to_string(outcome.into_folder().path().join("suite.json")).unwrap(), suite);
}

#[test]
fn a_runner_that_is_not_known_is_told() {
    let outcome =
        stabilize(&["tests", "--", "make", "check"]).file("tests/test_a.py", TEST).run().exits_with(2);
    assert!(outcome.stderr.contains("pytest"), "{}", outcome.stderr);
}

#[test]
fn an_unknown_step_is_answered_with_the_known_ones() {
    let outcome = stabilize(&["suite.json", "--perturb", "weather"]).run().exits_with(2).prints("");
    assert!(outcome.stderr.contains("known are clock, tz"), "{}", outcome.stderr);
}
