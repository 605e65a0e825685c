//! What a server may do to the tests of a suite, and what happens before the first of them; run by the real runners.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../project/mod.rs"]
mod project;
mod server;

use project::{keys, suite, write};
use serde_json::{Value, json};
use server::Server;
use steady_emit::Emitter;
use steady_testkit::{Runner, RunnerError};

fn test(name: &str, group: &str, target: &Value, expect: &[(&str, Value)]) -> Value {
    let expect: Vec<Value> =
        expect.iter().map(|(place, matcher)| json!({"where": place, "is": matcher})).collect();
    json!({
        "name": name, "group": group, "about": "Ends, whatever the server does.",
        "calls": [{
            "operation": "GET /", "request": {"method": "GET", "target": target}, "expect": expect,
        }],
    })
}

/// Runs tests against answers without end. Those that assert the body fail, each for itself, and say why.
fn bounds_size_and_time(emitter: Emitter, said: &[&str]) {
    let status = || ("status", json!({"equals": 200}));
    let body = || ("body:", json!({"equals": "ok"}));
    let tests = json!([
        test("endless_body", "successes", &json!("/endless"), &[status(), body()]),
        test("bomb_body", "successes", &json!("/bomb"), &[status(), body()]),
        test("endless_head", "successes", &json!("/drip"), &[status()]),
        test("plain", "successes", &json!("/plain"), &[status(), body()]),
        test("endless_status", "successes", &json!("/endless"), &[status()]),
        test("bomb_status", "successes", &json!("/bomb"), &[status()]),
    ]);
    // Hurl knows no way to keep what it has read of a body that is too large.
    let (right, wrong): (&[&str], &[&str]) = match emitter {
        Emitter::Hurl => {
            (&["plain"], &["endless_body", "bomb_body", "endless_head", "endless_status", "bomb_status"])
        }
        _ => (&["plain", "endless_status", "bomb_status"], &["endless_body", "bomb_body", "endless_head"]),
    };
    let names = |names: &[&str]| keys(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
    let server = Server::start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    write(&suite(&tests), emitter, folder.path());
    let report = Runner(emitter).run(folder.path(), &server.url(), &[("STEADY_TIMEOUT", "5")]).unwrap();
    assert_eq!((report.passed, report.failed), (names(right), names(wrong)), "{}", report.output);
    for words in said {
        assert!(report.output.contains(words), "{words}: {}", report.output);
    }
}

/// Runs tests without the secrets they need: all of them are named, once, and no request is made.
fn names_what_is_missing_once(emitter: Emitter) {
    let secret = |name: &str| json!(["/", {"env": name}]);
    let key = || [("body:", json!({"text": [{"env": "STEADY_TEST_THIRD"}]}))];
    let tests = json!([
        test("one", "successes", &secret("STEADY_TEST_FIRST"), &[]),
        test("two", "successes", &secret("STEADY_TEST_SECOND"), &[]),
        test("three", "others", &json!("/"), &key()),
        test("four", "faults", &json!("/"), &[]),
    ]);
    let server = Server::start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    write(&suite(&tests), emitter, folder.path());
    let given = [("STEADY_TEST_SECOND", "known")];
    let (output, tests) = match Runner(emitter).run(folder.path(), &server.url(), &given) {
        Ok(report) => (report.output, report.passed.len() + report.failed.len()),
        Err(RunnerError::Report { output, .. }) => (output, 0),
        Err(error) => panic!("{error}"),
    };
    let message =
        "set these environment variables, the tests need their values: STEADY_TEST_FIRST, STEADY_TEST_THIRD";
    assert!(output.contains(message), "{output}");
    assert!(!output.contains("STEADY_TEST_SECOND"), "{output}");
    // Where a runner has no way to say something before the first test, the first test says it and is the last one.
    assert!(tests <= 1, "{tests} tests: {output}");
    assert_eq!(server.requests(), 0, "{output}");
}

const CUT: &str = "the body is larger than 4194304 bytes and was cut";
const LATE: &str = "the response was not complete after 5 seconds";

#[test]
fn pytest_bounds_size_and_time() {
    bounds_size_and_time(Emitter::Pytest, &[CUT, LATE]);
}

#[test]
fn unittest_bounds_size_and_time() {
    bounds_size_and_time(Emitter::Unittest, &[CUT, LATE]);
}

#[test]
fn jest_bounds_size_and_time() {
    bounds_size_and_time(Emitter::Jest, &[CUT, LATE]);
}

#[test]
fn playwright_bounds_size_and_time() {
    bounds_size_and_time(Emitter::Playwright, &[]);
}

#[test]
fn junit5_bounds_size_and_time() {
    bounds_size_and_time(Emitter::Junit5, &[CUT, LATE]);
}

#[test]
fn kotlin_bounds_size_and_time() {
    bounds_size_and_time(Emitter::Kotlin, &[CUT, LATE]);
}

#[test]
fn hurl_bounds_size_and_time() {
    bounds_size_and_time(Emitter::Hurl, &[]);
}

#[test]
fn pytest_names_what_is_missing_once() {
    names_what_is_missing_once(Emitter::Pytest);
}

#[test]
fn unittest_names_what_is_missing_once() {
    names_what_is_missing_once(Emitter::Unittest);
}

#[test]
fn jest_names_what_is_missing_once() {
    names_what_is_missing_once(Emitter::Jest);
}

#[test]
fn playwright_names_what_is_missing_once() {
    names_what_is_missing_once(Emitter::Playwright);
}

#[test]
fn junit5_names_what_is_missing_once() {
    names_what_is_missing_once(Emitter::Junit5);
}

#[test]
fn kotlin_names_what_is_missing_once() {
    names_what_is_missing_once(Emitter::Kotlin);
}

#[test]
fn hurl_names_what_is_missing_once() {
    names_what_is_missing_once(Emitter::Hurl);
}
