//! Errors when there is nothing to record.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::fs;

use steady_exec::{ExecError, RecordError};
use steady_model::rerun::Ending;
use steady_process::{JobError, SpawnError};
use support::{Suite, modules, python};

#[test]
fn a_command_that_is_no_runners_is_named_with_those_that_are() {
    let error = Suite::new("vitest", &["make", "check"]).record().unwrap_err();
    let expected = "`make check` starts no test runner that steady knows; give the runner's own command, one of \
                    pytest, unittest, jest, vitest, maven";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_runner_without_a_recorder_is_named_with_those_that_have_one() {
    let error = Suite::new("vitest", &["cargo", "test"]).record().unwrap_err();
    let expected = "steady cannot record the exchanges of tests run by cargo; it can with pytest, unittest, jest, vitest, maven";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn tests_without_exchanges_say_what_is_seen() {
    let suite = Suite::new("pytest", &[&python(), "-m", "pytest"]);
    fs::write(suite.project().join("tests/test_orders.py"), "def test_adds():\n    assert 1 + 1 == 2\n")
        .unwrap();
    let error = suite.record().unwrap_err();
    assert!(
        matches!(error, ExecError::Record(RecordError::NoExchange { runner: "pytest", tests: 1, .. })),
        "{error}"
    );
    assert!(error.to_string().contains("requests or httpx"), "{error}");
}

#[test]
fn an_api_that_cannot_be_reached_is_said_to_be() {
    let suite = Suite::new("pytest", &[&python(), "-m", "pytest"]);
    let test =
        "import requests\n\n\ndef test_a():\n    assert requests.get('http://127.0.0.1:1/orders').ok\n";
    fs::write(suite.project().join("tests/test_orders.py"), test).unwrap();
    let error = suite.record().unwrap_err();
    assert!(matches!(error, ExecError::Record(RecordError::Unreachable { requests: 1, .. })), "{error}");
    let text = error.to_string();
    assert!(text.contains("http://127.0.0.1:1/orders") && text.contains("refused"), "{text}");
}

#[test]
fn a_command_that_runs_no_test_shows_how_it_ended() {
    let suite = Suite::new("pytest", &[&python(), "-m", "pytest", "--no-such-option"]);
    let error = suite.record().unwrap_err();
    let ExecError::Record(RecordError::NoTests { ending, excerpt }) = error else { panic!("{error}") };
    assert_eq!(ending, Ending::Exited(4));
    assert!(excerpt.contains("unrecognized arguments: --no-such-option"), "{excerpt}");
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let error = Suite::new("pytest", &["./no-such/pytest"]).record().unwrap_err();
    assert!(matches!(error, ExecError::Job(JobError::Spawn(SpawnError::NotFound { .. }))), "{error}");
}

#[test]
fn a_test_runner_of_the_users_leaves_the_recorder_no_place() {
    let suite =
        Suite::new("jest", &["npx", "jest", "--testRunner=jest-circus/runner"]).with_modules(&[modules()]);
    let error = suite.record().unwrap_err();
    let expected = "cannot attach the recorder to jest: it has a `--testRunner` already; leave that out";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_project_without_rest_assured_runs_as_ever() {
    let words = ["mvn", "--batch-mode", "--no-transfer-progress", "test", "-Dtest=CartTest"];
    let suite = Suite::new("../../../steady-runners/tests/projects/maven", &words);
    let error = suite.record().unwrap_err();
    assert!(
        matches!(error, ExecError::Record(RecordError::NoExchange { runner: "maven", tests: 5, .. })),
        "{error}"
    );
}
