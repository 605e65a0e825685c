//! Every matcher in every language, held by the real runners against answers it fits and answers it does not.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod cases;
#[path = "../project/mod.rs"]
mod project;
mod server;

use std::collections::BTreeMap;

use cases::{Case, KEY, NAME};
use project::{keys, suite, write};
use serde_json::{Value, json};
use server::{Answer, Server};
use steady_emit::Emitter;
use steady_model::{Base, Payload, Response, Secret, Secrets, TestCase};
use steady_suite::{Variables, check};
use steady_testkit::Runner;

/// Runs all cases once and compares what every test did. `unseen` are the wrong answers that the emitter's `README.md`
/// says its tests do not notice; `most_wrong` limits how many a case has.
fn holds_where_it_should(emitter: Emitter, unseen: &[&str], most_wrong: usize) {
    let mut answers =
        BTreeMap::from([("/variables".to_owned(), Answer::json(&json!({"id": 7, "name": NAME})))]);
    let mut tests = Vec::new();
    let (mut right, mut wrong) = (Vec::new(), Vec::new());
    for case in cases::all() {
        let chosen = [("right", &case.right, usize::MAX), ("wrong", &case.wrong, most_wrong)];
        for (kind, given, most) in chosen {
            for (index, answer) in given.iter().enumerate().take(most) {
                let name = format!("{kind}_{}_{index}", case.name);
                let passes = kind == "right" || unseen.contains(&name.as_str());
                answers.insert(format!("/{name}"), answer.clone());
                tests.push(test(&name, &case));
                if passes { right.push(name) } else { wrong.push(name) }
            }
        }
    }
    let server = Server::start(answers).unwrap();
    let folder = tempfile::tempdir().unwrap();
    write(&suite(&Value::Array(tests)), emitter, folder.path());
    let key = [("STEADY_CASE_KEY", KEY)];
    let report = Runner(emitter).run(folder.path(), &server.url(), &key).unwrap();
    let (right, wrong) = (keys(&right), keys(&wrong));
    let beyond = |names: &[String], expected: &[String]| -> Vec<String> {
        names.iter().filter(|name| !expected.contains(name)).cloned().collect()
    };
    let surprises = (beyond(&report.failed, &wrong), beyond(&report.passed, &right));
    assert_eq!(surprises, (vec![], vec![]), "failed, and passed, against all expectation: {}", report.output);
    assert_eq!((report.passed.len(), report.failed.len()), (right.len(), wrong.len()), "{}", report.output);
}

fn test(name: &str, case: &Case) -> Value {
    let captures =
        [("id", "body:/id"), ("name", "body:/name")].map(|(name, from)| json!({"name": name, "from": from}));
    json!({
        "name": name,
        "group": "successes",
        "about": "Holds, or does not.",
        "calls": [
            {
                "operation": "GET /variables",
                "request": {"method": "GET", "target": "/variables"},
                "captures": captures,
                "expect": [{"where": "status", "is": "disabled", "note": "Flaky status: 200 vs. 429"}],
            },
            {
                "operation": "GET /{name}",
                "request": {"method": "GET", "target": format!("/{name}")},
                "expect": case.expect,
            },
        ],
    })
}

/// The emitted tests and steady's own runner must say the same.
#[test]
fn native_holds_where_it_should() {
    let base = Base::at("https://api.test:8443/moved/here");
    let secrets = Secrets::default();
    secrets.give("STEADY_CASE_KEY".to_owned(), Secret::new(KEY));
    let holds = |case: &Case, answer: &Answer| {
        let answer = answer.at(&base).for_language("en");
        let known: TestCase = serde_json::from_value(test("t", case)).unwrap();
        let variables = Variables::from_iter([("id", json!(7)), ("name", json!(NAME))]);
        let variables = variables.at(base.clone()).looked_up(&known, &secrets);
        let headers =
            answer.headers.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let body = Payload::Text(answer.body.clone().into());
        let response = Response { status: 200, headers, body, truncated: false };
        let document = response.document();
        known.calls[1]
            .expect
            .iter()
            .all(|assertion| check(assertion, &response, &document, &variables).is_ok())
    };
    for case in cases::all() {
        for (answers, expected) in [(&case.right, true), (&case.wrong, false)] {
            for answer in answers {
                assert_eq!(holds(&case, answer), expected, "{}: {answer:?}", case.name);
            }
        }
    }
}

#[test]
fn pytest_holds_where_it_should() {
    holds_where_it_should(Emitter::Pytest, &[], usize::MAX);
}

#[test]
fn unittest_holds_where_it_should() {
    holds_where_it_should(Emitter::Unittest, &[], usize::MAX);
}

#[test]
fn jest_holds_where_it_should() {
    holds_where_it_should(Emitter::Jest, &[], usize::MAX);
}

#[test]
fn playwright_holds_where_it_should() {
    // Playwright starts a process after every failure; the support files are those that Jest has tried in full.
    holds_where_it_should(Emitter::Playwright, &[], 1);
}

#[test]
fn junit5_holds_where_it_should() {
    holds_where_it_should(Emitter::Junit5, &[], usize::MAX);
}

#[test]
fn kotlin_holds_where_it_should() {
    holds_where_it_should(Emitter::Kotlin, &[], usize::MAX);
}

#[test]
fn hurl_holds_where_it_should() {
    let unseen = [
        // No alternatives but of text.
        "wrong_one_of_all_kinds_0",
        "wrong_one_of_all_kinds_1",
        "wrong_one_of_all_kinds_2",
        "wrong_one_of_all_kinds_3",
        // No arithmetic.
        "wrong_product_1",
        "wrong_sum_3",
        // No order of integers beyond 63 bits.
        "wrong_range_to_1",
        // No comparison with the response's date.
        "wrong_recent_by_date_0",
        "wrong_recent_by_date_1",
        "wrong_recent_by_date_5",
        "wrong_recent_by_date_6",
        "wrong_recent_http_0",
        "wrong_recent_microseconds_0",
        "wrong_recent_milliseconds_0",
        "wrong_recent_nanoseconds_0",
        "wrong_recent_rfc3339_0",
        "wrong_recent_rfc3339_1",
        "wrong_recent_seconds_0",
        // JSON is read regardless of the content type.
        "wrong_root_unordered_1",
        // A further field of an object.
        "wrong_unordered_objects_2",
    ];
    holds_where_it_should(Emitter::Hurl, &unseen, usize::MAX);
}

/// A failure says what was expected and what was there, also where the support files find it.
#[test]
fn a_failure_says_what_was_expected_and_what_was_there() {
    let body = json!({"id": "no digits", "a": 1, "b": 2, "value": 4});
    let answers = BTreeMap::from([
        ("/variables".to_owned(), Answer::json(&json!({"id": 7, "name": NAME}))),
        ("/id".to_owned(), Answer::json(&body)),
        ("/sum".to_owned(), Answer::json(&body)),
    ]);
    let sum = json!({"relation": {"sum": ["body:/a", "body:/b"]}});
    let digits = json!({"pattern": {"regex": "[0-9]+", "what": "digits"}});
    let case = |name, place: &str, matcher: &Value| Case {
        name,
        expect: vec![json!({"where": place, "is": matcher})],
        right: vec![],
        wrong: vec![],
    };
    let cases = [case("id", "body:/id", &digits), case("sum", "body:/value", &sum)];
    let tests = suite(&cases.iter().map(|case| test(case.name, case)).collect());
    let server = Server::start(answers).unwrap();
    for emitter in [Emitter::Pytest, Emitter::Unittest, Emitter::Jest, Emitter::Junit5] {
        let folder = tempfile::tempdir().unwrap();
        write(&tests, emitter, folder.path());
        let report = Runner(emitter).run(folder.path(), &server.url(), &[]).unwrap();
        assert_eq!((report.passed.len(), report.failed.len()), (0, 2), "{emitter}: {}", report.output);
        for said in ["[0-9]+", "no digits", "the sum of"] {
            assert!(report.output.contains(said), "{emitter} does not say {said}: {}", report.output);
        }
    }
}
