//! Whether one value, or several of one name, are what a matcher says.

use serde_json::Value;

use super::json::{self, Leniency};
use super::subject::Subject;
use crate::mapping::{JsonPathExpression, Matcher};

/// Whether a value is what the matcher says.
pub(super) fn is_match(matcher: &Matcher, subject: &Subject<'_>) -> bool {
    let text = |test: &dyn Fn(&str) -> bool| subject.as_text().is_some_and(|text| test(&text));
    match matcher {
        Matcher::Anything => true,
        Matcher::EqualTo { value, case_insensitive: false } => {
            subject.bytes().is_some_and(|bytes| bytes == value.as_bytes())
        }
        Matcher::EqualTo { value, case_insensitive: true } => {
            text(&|text| text.to_lowercase() == value.to_lowercase())
        }
        Matcher::BinaryEqualTo(expected) => subject.bytes().is_some_and(|bytes| bytes == expected.as_ref()),
        Matcher::Contains(part) => text(&|text| text.contains(part.as_str())),
        Matcher::DoesNotContain(part) => !text(&|text| text.contains(part.as_str())),
        Matcher::Matches(pattern) => text(&|text| pattern.is_match(text)),
        Matcher::DoesNotMatch(pattern) => !text(&|text| pattern.is_match(text)),
        Matcher::Absent => subject.bytes().is_none(),
        Matcher::EqualToJson { value, ignore_array_order, ignore_extra_elements, .. } => {
            let leniency = Leniency { any_order: *ignore_array_order, extra: *ignore_extra_elements };
            subject.with_json(|actual| json::is_equal(value, actual, leniency))
        }
        Matcher::MatchesJsonPath { expression, inner } => {
            subject.with_json(|value| finds(expression, inner.as_deref(), value))
        }
        Matcher::And(all) => all.iter().all(|matcher| is_match(matcher, subject)),
        Matcher::Or(any) => any.iter().any(|matcher| is_match(matcher, subject)),
        Matcher::Not(inner) => !is_match(inner, subject),
        Matcher::HasExactly(_) | Matcher::Includes(_) => {
            let text = subject.as_text();
            let values: Vec<&str> = text.as_deref().into_iter().collect();
            are_match(matcher, &values)
        }
    }
}

/// Whether the values of one name are what the matcher says: one of them, unless it speaks of all.
pub(super) fn are_match(matcher: &Matcher, values: &[&str]) -> bool {
    let included = |wanted: &[Matcher]| {
        wanted.iter().all(|wanted| values.iter().any(|value| is_match(wanted, &Subject::text(value))))
    };
    match matcher {
        Matcher::HasExactly(wanted) => wanted.len() == values.len() && included(wanted),
        Matcher::Includes(wanted) => included(wanted),
        _ if values.is_empty() => is_match(matcher, &Subject::missing()),
        _ => values.iter().any(|value| is_match(matcher, &Subject::text(value))),
    }
}

/// Whether the expression finds something, and it is what the inner matcher says.
fn finds(expression: &JsonPathExpression, inner: Option<&Matcher>, value: &Value) -> bool {
    let found = expression.find(value);
    let Some(inner) = inner else {
        // Of one place, nothing and empty collections do not count as found; of several, one is enough.
        return if expression.is_definite() {
            found.iter().any(|value| !is_empty(value))
        } else {
            !found.is_empty()
        };
    };
    if found.is_empty() {
        return is_match(inner, &Subject::missing());
    }
    found.into_iter().any(|value| match value {
        Value::Null => is_match(inner, &Subject::missing()),
        Value::String(text) => is_match(inner, &Subject::text(text)),
        other => is_match(inner, &Subject::text(&other.to_string())),
    })
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(properties) => properties.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Matcher, value (`None` when there is none), whether it matches.
    #[test]
    fn every_matcher_of_one_value() {
        let table = [
            (json!({"equalTo": "a"}), Some("a"), true),
            (json!({"equalTo": "a"}), Some("A"), false),
            (json!({"equalTo": "a"}), None, false),
            (json!({"equalTo": "ä", "caseInsensitive": true}), Some("Ä"), true),
            (json!({"equalTo": 7}), Some("7"), true),
            (json!({"binaryEqualTo": "AQI="}), Some("\u{1}\u{2}"), true),
            (json!({"binaryEqualTo": "AQI="}), Some("\u{1}"), false),
            (json!({"contains": "b"}), Some("abc"), true),
            (json!({"contains": "b"}), Some("ac"), false),
            (json!({"doesNotContain": "b"}), Some("ac"), true),
            (json!({"doesNotContain": "b"}), Some("abc"), false),
            (json!({"doesNotContain": "b"}), None, true),
            (json!({"matches": "a.c"}), Some("abc"), true),
            (json!({"matches": "a.c"}), Some("abcd"), false),
            (json!({"matches": ".*"}), None, false),
            (json!({"doesNotMatch": "a.c"}), Some("abcd"), true),
            (json!({"doesNotMatch": "a.c"}), Some("abc"), false),
            (json!({"absent": true}), None, true),
            (json!({"absent": true}), Some(""), false),
            (json!({"anything": "(always)"}), None, true),
            (json!({"and": [{"contains": "a"}, {"contains": "b"}]}), Some("ab"), true),
            (json!({"and": [{"contains": "a"}, {"contains": "b"}]}), Some("a"), false),
            (json!({"or": [{"equalTo": "a"}, {"absent": true}]}), None, true),
            (json!({"or": [{"equalTo": "a"}, {"absent": true}]}), Some("b"), false),
            (json!({"not": {"equalTo": "a"}}), Some("b"), true),
            (json!({"not": {"equalTo": "a"}}), Some("a"), false),
            (json!({"equalToJson": {"a": [1, 2]}}), Some("{\"a\": [1.0, 2]}"), true),
            (json!({"equalToJson": {"a": [1, 2]}}), Some("{\"a\": [2, 1]}"), false),
            (json!({"equalToJson": "{}"}), Some("{}"), true),
            (json!({"equalToJson": "{}"}), Some("no JSON"), false),
            (json!({"matchesJsonPath": "$.a"}), Some("{\"a\": 0}"), true),
            (json!({"matchesJsonPath": "$.a"}), Some("{\"a\": null}"), false),
            (json!({"matchesJsonPath": "$.a"}), Some("{\"a\": []}"), false),
            (json!({"matchesJsonPath": "$.b"}), Some("{\"a\": 0}"), false),
            (json!({"matchesJsonPath": "$.a[?(@.b == 1)]"}), Some("{\"a\": [{\"b\": 1}]}"), true),
            (json!({"matchesJsonPath": "$.a[?(@.b == 1)]"}), Some("{\"a\": [{\"b\": 2}]}"), false),
            (json!({"matchesJsonPath": {"expression": "$.a", "equalTo": "x"}}), Some("{\"a\": \"x\"}"), true),
            (json!({"matchesJsonPath": {"expression": "$.a", "equalTo": "1"}}), Some("{\"a\": 1}"), true),
            (json!({"matchesJsonPath": {"expression": "$.a", "absent": true}}), Some("{}"), true),
            (json!({"matchesJsonPath": {"expression": "$.a", "absent": true}}), Some("{\"a\": 1}"), false),
            (
                json!({"matchesJsonPath": {"expression": "$.a[*]", "contains": "y"}}),
                Some("{\"a\": [\"x\", \"y\"]}"),
                true,
            ),
            (
                json!({"matchesJsonPath": {"expression": "$.a", "equalToJson": {"b": 1}}}),
                Some("{\"a\": {\"b\": 1}}"),
                true,
            ),
        ];
        for (written, value, expected) in table {
            let matcher: Matcher = serde_json::from_value(written.clone()).unwrap();
            let subject = value.map_or_else(Subject::missing, Subject::text);
            assert_eq!(is_match(&matcher, &subject), expected, "{written} {value:?}");
        }
    }

    #[test]
    fn matchers_of_several_values() {
        let both = json!([{"equalTo": "a"}, {"equalTo": "b"}]);
        let table = [
            (json!({"equalTo": "b"}), vec!["a", "b"], true),
            (json!({"absent": true}), vec![], true),
            (json!({"absent": true}), vec!["a"], false),
            (json!({"hasExactly": both}), vec!["b", "a"], true),
            (json!({"hasExactly": both}), vec!["a", "b", "c"], false),
            (json!({"includes": both}), vec!["c", "b", "a"], true),
            (json!({"includes": both}), vec!["a"], false),
        ];
        for (written, values, expected) in table {
            let matcher: Matcher = serde_json::from_value(written.clone()).unwrap();
            assert_eq!(are_match(&matcher, &values), expected, "{written} {values:?}");
        }
    }
}
