//! `--format json`: events only, from the first to exactly one last, whatever happens.

use serde_json::Value;

use crate::support::{Answer, Invocation, Service};

/// The events of a call; the first and the last are what they have to be.
#[track_caller]
fn events(invocation: Invocation, exit_code: i32) -> Vec<Value> {
    let outcome = invocation.run().exits_with(exit_code);
    let events = outcome.events();
    let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(kinds.first(), Some(&"run_started"), "{kinds:?}");
    assert_eq!(kinds.iter().filter(|kind| **kind == "run_finished").count(), 1, "{kinds:?}");
    let last = events.last().unwrap();
    assert_eq!(last["event"], "run_finished", "{kinds:?}");
    assert_eq!(last["exit_code"], exit_code);
    assert!(events.iter().all(|event| event["version"] == 1), "{events:?}");
    events
}

#[test]
fn a_command_that_fails_ends_its_stream_and_says_why() {
    let cases: [&[&str]; 10] = [
        &["fuzz"],
        &["fuzz", "--openapi", "missing.json"],
        &["fuzz", "--openapi", "api.json", "--config", "bad.toml"],
        &["fuzz", "--openapi", "http://127.0.0.1:1/openapi.json"],
        &["run", "missing.json"],
        &["stabilize", "missing"],
        &["rerun", "--shard", "1/2", "--balance", "--no-store", "--", "true"],
        &["waits", "lint"],
        &["waits", "tune", "missing.test.js:3"],
        &["merge", "missing"],
    ];
    for case in cases {
        let invocation = Invocation::new(case.iter().take(1).chain(&["--format", "json"]).chain(&case[1..]))
            .file("bad.toml", "[fuzz]\ntime = 3\n")
            .file("api.json", "{}");
        let events = events(invocation, 2);
        let error = events.last().unwrap()["error"].as_str().unwrap();
        assert!(!error.is_empty(), "{case:?}");
    }
}

#[test]
fn what_waits_lint_found_is_the_event_before_the_last() {
    let text = "test('a', async () => { await page.waitForTimeout(500); });\n";
    let invocation = Invocation::new(["waits", "lint", "--format", "json"]).file("a.test.js", text);
    let events = events(invocation, 1);
    let result = &events[events.len() - 2];
    assert_eq!(result["event"], "waits_linted");
    assert_eq!(result["waits"][0]["ms"], 500);
}

#[test]
fn what_waits_tune_found_is_the_event_before_the_last() {
    let text = "test('a', async () => {\n  await page.waitForTimeout(500);\n});\n";
    let invocation =
        Invocation::new(["waits", "tune", "a.test.js:2", "--history", "off", "--format", "json"])
            .file("a.test.js", text);
    let events = events(invocation, 0);
    let result = &events[events.len() - 2];
    assert_eq!(result["event"], "waits_tuned");
    assert!(result["patch"].as_str().unwrap().contains("waitForTimeout"), "{result}");
    assert!(result["candidates"][0]["ms"].as_u64().unwrap() > 500, "{result}");
}

#[test]
fn what_history_found_is_the_event_before_the_last_and_merged_reruns_can_be_merged_again() {
    let script = r#"echo "1..2"; echo "ok 1 - fine"; echo "not ok 2 - broken""#;
    let rerun = ["rerun", "--runs", "2", "--perturb", "off", "--format", "json", "--", "sh", "-c", script];
    let ran = Invocation::new(rerun).env("PATH", "/usr/bin:/bin").run().exits_with(1);
    let folder = ran.into_folder();
    let merge = |from: &str, to: &str, folder| {
        let merge = Invocation::within(folder, ["merge", from, "--out", to, "--format", "json"]);
        let outcome = merge.run().exits_with(1);
        let runs = |event: &Value| event["event"] == "command_finished";
        assert_eq!(outcome.events().iter().filter(|event| runs(event)).count(), 2);
        assert_eq!(outcome.events().last().unwrap()["event"], "run_finished");
        let report: Value = serde_json::from_str(&outcome.read(&format!("{to}/rerun.json"))).unwrap();
        (report["tests"].clone(), outcome.into_folder())
    };
    let (once, folder) = merge("steady-out", "once", folder);
    let (twice, folder) = merge("once", "twice", folder);
    assert_eq!(once, twice);
    assert_eq!(once.as_array().unwrap().len(), 2);
    let events = events(Invocation::within(folder, ["history", "--format", "json"]), 0);
    let result = &events[events.len() - 2];
    assert_eq!(result["event"], "history_listed");
    assert!(result["tests"].as_array().is_some_and(|tests| !tests.is_empty()), "{result}");
}

#[test]
fn a_result_that_cannot_be_written_in_the_end_is_an_error_in_the_stream() {
    let service = Service::start(|_, _| Answer::status(200));
    let document = r#"{"openapi": "3.0.3", "info": {"title": "T", "version": "1"},
        "paths": {"/a": {"get": {"responses": {"200": {"description": "there"}}}}}}"#;
    // No file can take the place of a folder, and which files there will be is not known before.
    let emitted = "steady-out/tests/pytest/test_faults.py/mine.txt";
    let arguments = ["fuzz", "--openapi", "api.json", "--url", service.url(), "--requests", "20"];
    let invocation = Invocation::new(arguments.iter().chain(&["--format", "json"]))
        .file("api.json", document)
        .file(emitted, "mine");
    let outcome = invocation.run().exits_with(2);
    let last = outcome.events().pop().unwrap();
    assert_eq!((&last["event"], &last["exit_code"]), (&"run_finished".into(), &2.into()));
    assert!(last["error"].as_str().unwrap().contains("test_faults.py"), "{last}");
    assert_eq!(outcome.read(emitted), "mine");
    assert!(outcome.is_file("steady-out/last-run/suite.json"), "what was found is lost");
}
