use serde_json::{Value, json};
use steady_model::{Method, Payload, Request, Response, Secret, Secrets, Suite};

use super::*;

/// A suite of one test with these calls: method and target, body, and what is expected where.
fn suite(calls: &Value) -> Suite {
    let call = |call: &Value| {
        let expect = call["expect"].as_array().unwrap().iter();
        json!({
            "operation": "POST /x", "request": {"method": "POST", "target": call["target"], "body": call["body"]},
            "expect": expect.map(|pair| json!({"where": pair[0], "is": pair[1]})).collect::<Vec<_>>(),
        })
    };
    let calls: Vec<Value> = calls.as_array().unwrap().iter().map(call).collect();
    serde_json::from_value(json!({
        "version": 1, "api": {"title": "t", "url": "http://h"}, "seed": 1,
        "tests": [{"name": "t", "group": "successes", "about": "", "calls": calls}],
    }))
    .unwrap()
}

fn issuing(body: &Value) -> Secrets {
    let secrets = Secrets::new([("STEADY_KEY".to_owned(), Secret::new("given/value-1"))]);
    let request = Request { method: Method::Post, target: "/x".into(), headers: vec![], body: None };
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    let response =
        Response { status: 200, headers, body: Payload::Text(body.to_string().into()), truncated: false };
    secrets.saw(&request, &response);
    secrets
}

/// What becomes of assertions about one response: places and matchers.
fn loosened(expect: &Value, secrets: &Secrets) -> Vec<Value> {
    let mut suite = suite(&json!([{"target": "/x", "expect": expect}]));
    assert_eq!(without_secrets(&mut suite, secrets), Vec::<String>::new());
    let expect = serde_json::to_value(&suite.tests[0].calls[0].expect).unwrap();
    expect.as_array().unwrap().iter().map(|assertion| json!([assertion["where"], assertion["is"]])).collect()
}

#[test]
fn what_was_given_is_looked_up_however_it_is_written() {
    let expect = json!([
        ["body:/a", {"equals": "given/value-1"}],
        ["body:/b", {"equals": "is given%2Fvalue-1 known?"}],
        ["body:/c", {"unordered": ["x", "given/value-1"]}],
        ["body:/d", {"equals": "a:Z2l2ZW4vdmFsdWUtMQ=="}],
    ]);
    let expected = [
        json!(["body:/a", {"text": [{"env": "STEADY_KEY"}]}]),
        json!(["body:/b", {"text": ["is ", {"env": "STEADY_KEY", "encoded": "percent"}, " known?"]}]),
        json!(["body:/c", {"unordered": ["x", "{STEADY_KEY}"]}]),
        json!(["body:/d", {"text": ["a:", {"env": "STEADY_KEY", "encoded": "base64"}]}]),
    ];
    assert_eq!(loosened(&expect, &issuing(&json!({}))), expected);
}

#[test]
fn what_the_api_issued_is_asserted_by_what_stands_around_it() {
    let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEiLCJ0b2tlbiI6ImlzZXVlZC0xMjM0In0.c2lnbmF0dXJl";
    let secrets = issuing(&json!({"token": "issued-1234", "proof": jwt}));
    let expect = json!([
        ["status", {"equals": 200}],
        ["header:set-cookie", {"equals": "sid=ab; Path=/"}],
        ["header:x-auth-token", {"equals": "issued-1234"}],
        ["header:location", {"equals": "http://me:pw@h/cb?code=abc&x=1"}],
        ["body:/token", {"equals": "issued-1234"}],
        ["body:/password", {"equals": "pw"}],
        ["body:/note", {"equals": "(issued-1234)"}],
        ["body:/basic", {"equals": "Basic bWU6aXNzdWVkLTEyMzQ="}],
        ["body:/list", {"unordered": ["issued-1234", 7]}],
        ["body:/choice", {"one_of": ["a", "issued-1234"]}],
        ["body:/like", {"pattern": {"regex": "issued\\-1234 [0-9]+", "what": "text like `issued-1234 {…}`"}}],
        ["body:/proof", {"equals": jwt}],
        ["body:/issued-1234/x", {"equals": 1}],
    ]);
    let expected = [
        json!(["status", {"equals": 200}]),
        json!(["header:set-cookie", {"pattern": {"regex": "sid=[\\s\\S]+; Path=/", "what": "text like `sid={…}; Path=/`"}}]),
        json!(["header:x-auth-token", "present"]),
        json!(["header:location", {"pattern": {"regex": "http://me:[\\s\\S]+@h/cb\\?code=[\\s\\S]+&x=1",
            "what": "text like `http://me:{…}@h/cb?code={…}&x=1`"}}]),
        json!(["body:/token", {"type": "string"}]),
        json!(["body:/password", {"type": "string"}]),
        json!(["body:/note", {"pattern": {"regex": "\\([\\s\\S]+\\)", "what": "text like `({…})`"}}]),
        json!(["body:/basic", {"pattern": {"regex": "Basic [\\s\\S]+", "what": "text like `Basic {…}`"}}]),
        json!(["body:/list", {"size": 2}]),
        json!(["body:/choice", {"type": "string"}]),
        json!(["body:/like", {"type": "string"}]),
        json!(["body:/proof", {"jwt": {"header": {"alg": "HS256"}, "claims": {"sub": "ada"}}}]),
    ];
    assert_eq!(loosened(&expect, &secrets), expected);
}

#[test]
fn what_is_no_secret_is_asserted_as_before() {
    let secrets = issuing(&json!({"token": "issued-1234"}));
    secrets.choices(["standard-token".to_owned()]);
    let expect = json!([
        ["header:etag", {"equals": "\"33a64df551425fcc\""}],
        ["body:/id", {"equals": "7c9e6679-7425-40de-944b-e07fc1f90ae7"}],
        ["body:/tokens", {"equals": 42}],
        ["body:/passwordPolicy", {"equals": "strict"}],
        ["body:/kind/token", {"equals": "standard-token"}],
        ["body:/message", {"equals": "the token is missing"}],
    ]);
    assert_eq!(json!(loosened(&expect, &secrets)), expect);
    let errors = json!([["status", {"equals": 400}], ["body:/password", {"equals": "required"}]]);
    assert_eq!(json!(loosened(&errors, &secrets)), errors);
}

#[test]
fn what_a_call_issues_is_captured_for_the_calls_after_it() {
    let secrets = issuing(&json!({"token": "issued-1234"}));
    let mut suite = suite(&json!([
        {"target": "/x", "expect": [["body:/token", {"equals": "issued-1234"}]]},
        {"target": "/x?t=issued-1234", "body": {"json": {"value": {"t": "issued-1234"}}},
         "expect": [["body:/owner", {"equals": "of issued-1234"}]]},
    ]));
    assert_eq!(without_secrets(&mut suite, &secrets), Vec::<String>::new());
    let calls = serde_json::to_value(&suite.tests[0].calls).unwrap();
    assert_eq!(calls[0]["captures"], json!([{"name": "token", "from": "body:/token"}]));
    assert_eq!(calls[0]["expect"][0]["is"], json!({"type": "string"}));
    assert_eq!(calls[1]["request"]["target"], json!(["/x?t=", {"var": "token"}]));
    assert_eq!(calls[1]["request"]["body"]["json"]["texts"], json!({"/t": [{"var": "token"}]}));
    assert_eq!(calls[1]["expect"][0]["is"], json!({"text": ["of ", {"var": "token"}]}));
}

#[test]
fn a_test_that_sends_what_another_was_issued_is_left_out() {
    let secrets = issuing(&json!({"token": "issued-1234"}));
    let mut suite = suite(&json!([{"target": "/x?t=issued-1234", "expect": []}]));
    assert_eq!(without_secrets(&mut suite, &secrets), ["t"]);
    assert!(suite.tests.is_empty());
}

#[test]
fn credentials_are_not_reported() {
    let reported = |place: &str, values: &[&str]| {
        discreet(&place.parse().unwrap(), values.iter().map(|value| (*value).to_owned()).collect())
    };
    assert_eq!(reported("body:/accessToken", &["abcdef123", "abcdxyz"]), ["***", "***"]);
    assert_eq!(reported("body:/password", &["abc"]), ["***"]);
    assert_eq!(reported("header:set-cookie", &["sid=b4361e81; Path=/"]), ["sid=***; Path=/"]);
    assert_eq!(reported("body:/value", &["eyJhbGciOiJIUzI1NiJ9.e30.x"]), ["***"]);
    assert_eq!(reported("body:/value", &["eyJhbGciOiJIUzI1NiIsInR5cCI6IkpX…"]), ["***…"]);
    assert_eq!(reported("body:/total", &["3", "7"]), ["3", "7"]);
}
