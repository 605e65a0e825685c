//! Tests, calls and responses with nothing in them that a test does not ask for.

use serde_json::Value;
use steady_model::{
    Assertion, Call, Group, Matcher, Method, OperationId, Payload, Place, RequestTemplate, Response, TestCase,
};

use crate::relax::ObservedTest;

/// A JSON response.
pub(crate) fn response(status: u16, body: &Value) -> Response {
    Response {
        status,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: Payload::Text(body.to_string().into()),
        truncated: false,
    }
}

/// A call without a body.
pub(crate) fn call(method: Method, path: &str, expect: Vec<Assertion>) -> Call {
    let request = RequestTemplate { method, target: path.into(), headers: Vec::new(), body: None };
    let operation = OperationId::new(method, path.to_owned());
    Call { operation, identity: None, request, captures: Vec::new(), expect }
}

/// Asserts that a member of the body has a value; the body itself for an empty name.
pub(crate) fn equals(name: &str, value: impl Into<Value>) -> Assertion {
    let pointer = if name.is_empty() { String::new() } else { format!("/{name}") };
    Assertion::new(Place::Body(pointer), Matcher::Equals(value.into()))
}

/// A test of these calls.
pub(crate) fn test_case(name: &str, calls: Vec<Call>) -> TestCase {
    TestCase {
        name: name.to_owned(),
        group: Group::Successes,
        about: String::new(),
        covers: Vec::new(),
        fresh: Vec::new(),
        calls,
        cleanup: Vec::new(),
    }
}

/// A test that was not run yet, at a fixed time.
pub(crate) fn observed(test: TestCase) -> ObservedTest {
    ObservedTest::new(test, "2026-03-10T12:00:00Z".parse().expect("a time"))
}
