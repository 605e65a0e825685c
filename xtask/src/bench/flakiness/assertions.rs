//! What is left of the assertions.

use std::collections::BTreeMap;

use steady_model::{Assertion, AssertionCounts, Call, Matcher, Place, TestCase};

use super::suites::Suites;

/// The assertions of the handled suite, alone and beside those of the unhandled one.
#[derive(Debug, Default)]
pub struct Left {
    /// By what is left of them.
    pub counts: AssertionCounts,
    /// Tests that both suites have, with the same calls.
    pub shared_tests: usize,
    /// Assertions of these in the unhandled suite.
    pub before: usize,
    /// Of those, the ones whose place is still spoken of in the handled suite.
    pub after: usize,
    /// The others, with the test.
    pub given_up: Vec<String>,
}

/// Compares the two suites, test by test.
pub fn compare(suites: &Suites) -> Left {
    let handled = &suites.handled.suite.tests;
    let mut left = Left { counts: AssertionCounts::of(handled), ..Left::default() };
    let by_name: BTreeMap<&str, &TestCase> = handled.iter().map(|test| (test.name.as_str(), test)).collect();
    for before in &suites.unhandled.suite.tests {
        let Some(after) = by_name.get(before.name.as_str()).filter(|after| same_calls(before, after)) else {
            continue;
        };
        left.shared_tests += 1;
        for (before_call, after_call) in before.calls.iter().zip(&after.calls) {
            for assertion in &before_call.expect {
                left.before += 1;
                if is_covered(&assertion.place, after_call) {
                    left.after += 1;
                } else {
                    let operation = &before_call.operation;
                    left.given_up.push(format!("`{operation}` `{}` in {}", assertion.place, before.name));
                }
            }
        }
    }
    left
}

fn same_calls(left: &TestCase, right: &TestCase) -> bool {
    let operations =
        |test: &TestCase| test.calls.iter().map(|call| call.operation.clone()).collect::<Vec<_>>();
    operations(left) == operations(right)
}

/// Whether a call still says something about a place, or about the items of the list it is in.
fn is_covered(place: &Place, call: &Call) -> bool {
    let speaks = |assertion: &Assertion| match (&assertion.place, place) {
        (known, place) if known == place => assertion.matcher != Matcher::Disabled,
        (Place::Body(around), Place::Body(inside)) => {
            let below = inside.strip_prefix(around.as_str()).is_some_and(|rest| rest.starts_with('/'));
            below
                && matches!(assertion.matcher, Matcher::Equals(_) | Matcher::Unordered(_) | Matcher::OneOf(_))
        }
        _ => false,
    };
    call.expect.iter().any(speaks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(place: &str, is: &serde_json::Value) -> Call {
        let expect = serde_json::json!([{"where": place, "is": is}]);
        let request = serde_json::json!({"method": "GET", "target": "/a"});
        let call = serde_json::json!({"operation": "GET /a", "request": request, "expect": expect});
        serde_json::from_value(call).unwrap()
    }

    fn covered(place: &str, call: &Call) -> bool {
        is_covered(&place.parse().unwrap(), call)
    }

    #[test]
    fn a_list_in_any_order_speaks_of_its_items_and_a_comment_of_nothing() {
        let list = call("body:/names", &serde_json::json!({"unordered": ["a", "b"]}));
        assert!(covered("body:/names/0", &list) && covered("body:/names", &list));
        assert!(!covered("body:/names2", &list) && !covered("status", &list));
        assert!(!covered("body:/names/0", &call("body:/names", &serde_json::json!({"size": 2}))));
        assert!(!covered("body:/names", &call("body:/names", &serde_json::json!("disabled"))));
    }
}
