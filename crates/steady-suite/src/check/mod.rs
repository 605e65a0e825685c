//! Holds an assertion against a response.

mod jwt;
mod pattern;
mod recent;
mod relation;

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;
use steady_model::{Assertion, Document, JsonType, Matcher, Place, Range, Response};

use crate::diff::{brief, diff};
use crate::{Variables, fill, same_items, same_value};

pub use jwt::read as read_jwt;
pub use recent::{moment, reference};
pub use relation::relation_holds;

/// An assertion that does not hold. Displays as one line, such as `body:/total: expected 3, got 7`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The place the assertion speaks of.
    pub place: Place,
    /// What was expected there, in a few words.
    pub expected: String,
    /// What is there, in a few words.
    pub actual: String,
    /// The differing lines, or more of what came back, where a few words do not show it.
    pub diff: Option<String>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, got {}", self.place, self.expected, self.actual)
    }
}

/// Checks one assertion; `document` is the response's body, read once for all of them.
pub fn check(
    assertion: &Assertion,
    response: &Response,
    document: &Document,
    variables: &Variables,
) -> Result<(), Mismatch> {
    let place = &assertion.place;
    let actual = look_up(place, response, document);
    let actual = actual.as_deref();
    let mismatch = |expected: String| Mismatch {
        place: place.clone(),
        expected,
        actual: actual.map_or_else(|| "nothing".to_owned(), brief),
        diff: None,
    };
    if response.truncated
        && let Place::Body(pointer) = place
        // That there is a body is as true of its beginning.
        && !(matches!(assertion.matcher, Matcher::Disabled)
            || (pointer.is_empty() && matches!(assertion.matcher, Matcher::Present)))
    {
        let actual = "a body that is too large and was cut".to_owned();
        return Err(Mismatch { actual, ..mismatch("a whole body".to_owned()) });
    }
    let require = |holds: bool, expected: String| if holds { Ok(()) } else { Err(mismatch(expected)) };
    let filled = match assertion.texts.is_empty() {
        true => None,
        false => match fill::assertion(assertion, variables) {
            Ok(filled) => Some(filled),
            Err(missing) => return Err(mismatch(format!("what cannot be filled in: {missing}"))),
        },
    };
    match filled.as_ref().unwrap_or(&assertion.matcher) {
        Matcher::Equals(expected) => {
            let result = equal(expected, actual, String::new, mismatch);
            if *place == Place::Status { result.map_err(|error| with_body(error, document)) } else { result }
        }
        Matcher::Variable(name) => match variables.get(name) {
            Some(expected) => equal(expected, actual, || format!(" (variable `{name}`)"), mismatch),
            None => Err(mismatch(format!("the value of variable `{name}`, which has none"))),
        },
        Matcher::Text(text) => match fill::text(text, variables) {
            Ok(expected) => equal(&Value::from(expected), actual, String::new, mismatch),
            Err(missing) => Err(mismatch(format!("text that cannot be filled in: {missing}"))),
        },
        Matcher::Relation(relation) => {
            let look_up = |place: &Place| look_up(place, response, document).map(Cow::into_owned);
            match relation::expectation(relation, look_up) {
                Ok(expectation) => {
                    require(actual.is_some_and(|value| expectation.admits(value)), expectation.to_string())
                }
                Err(missing) => Err(mismatch(format!("what `{missing}` makes it, which is not there"))),
            }
        }
        Matcher::Unordered(expected) => match actual.and_then(Value::as_array) {
            Some(items) if same_items(expected, items) => Ok(()),
            Some(items) => Err(Mismatch {
                diff: diff(&sorted(expected), &sorted(items)),
                ..mismatch(format!("in any order {}", brief(&Value::Array(expected.clone()))))
            }),
            None => Err(mismatch(format!("in any order {}", brief(&Value::Array(expected.clone()))))),
        },
        Matcher::Jwt(expected) => match jwt::differs(expected, actual.and_then(Value::as_str)) {
            None => Ok(()),
            Some(expectation) => Err(mismatch(expectation)),
        },
        Matcher::Pattern(expected) => {
            let regex = match expected.regex.as_literal() {
                Some(regex) => Ok(Cow::Borrowed(regex)),
                None => fill::regex(&expected.regex, variables).map(Cow::Owned),
            };
            match regex {
                Ok(regex) => {
                    let text = actual.and_then(Value::as_str);
                    require(text.is_some_and(|text| pattern::matches(&regex, text)), expected.what.clone())
                }
                Err(missing) => Err(mismatch(format!("text that cannot be filled in: {missing}"))),
            }
        }
        Matcher::Recent(format) => {
            let holds = actual.is_some_and(|value| recent::is_recent(value, *format, response));
            require(holds, "a time near the response's".to_owned())
        }
        Matcher::OneOf(values) => {
            let holds = actual.is_some_and(|actual| values.iter().any(|value| same_value(value, actual)));
            require(holds, format!("one of {}", brief(&Value::Array(values.clone()))))
        }
        Matcher::Range(range) => require(actual.is_some_and(|value| within(range, value)), describe(range)),
        Matcher::MediaType(expected) => {
            let holds = response.media_type().is_some_and(|actual| actual.eq_ignore_ascii_case(expected));
            require(holds, format!("media type {expected}"))
        }
        Matcher::Size(expected) => {
            let size = match actual {
                Some(Value::Array(items)) => Some(items.len()),
                // A text has a length, too: its characters.
                Some(Value::String(text)) => Some(text.chars().count()),
                _ => None,
            };
            match size {
                Some(size) if size == *expected => Ok(()),
                Some(size) => Err(Mismatch {
                    actual: format!("{size}"),
                    ..mismatch(format!("an array of {expected} items"))
                }),
                None => Err(mismatch(format!("an array of {expected} items"))),
            }
        }
        Matcher::Type(expected) => match actual {
            Some(value) if expected.admits(value) => Ok(()),
            Some(value) => Err(Mismatch {
                actual: format!("{} {}", JsonType::of(value), brief(value)),
                ..mismatch(format!("type {expected}"))
            }),
            None => Err(mismatch(format!("type {expected}"))),
        },
        Matcher::Present => require(actual.is_some(), "a value".to_owned()),
        Matcher::Absent => require(actual.is_none(), "nothing".to_owned()),
        Matcher::Disabled => Ok(()),
    }
}

fn equal(
    expected: &Value,
    actual: Option<&Value>,
    origin: impl Fn() -> String,
    mismatch: impl Fn(String) -> Mismatch,
) -> Result<(), Mismatch> {
    match actual {
        Some(actual) if same_value(expected, actual) => Ok(()),
        Some(actual) => {
            let difference = diff(expected, actual);
            Err(Mismatch { diff: difference, ..mismatch(format!("{}{}", brief(expected), origin())) })
        }
        None => Err(mismatch(format!("{}{}", brief(expected), origin()))),
    }
}

fn within(range: &Range, value: &Value) -> bool {
    let Some(number) = value.as_f64() else { return false };
    let bound = |number: &serde_json::Number| number.as_f64();
    range.min.as_ref().and_then(bound).is_none_or(|min| number >= min)
        && range.max.as_ref().and_then(bound).is_none_or(|max| number <= max)
}

fn describe(range: &Range) -> String {
    match (&range.min, &range.max) {
        (Some(min), Some(max)) => format!("a number from {min} to {max}"),
        (Some(min), None) => format!("a number of at least {min}"),
        (None, Some(max)) => format!("a number of at most {max}"),
        (None, None) => "a number".to_owned(),
    }
}

/// Items in an order of their own, so that a difference shows what is missing rather than what moved.
fn sorted(items: &[Value]) -> Value {
    let mut items = items.to_vec();
    items.sort_by_cached_key(Value::to_string);
    Value::Array(items)
}

/// A wrong status is explained best by the response body.
fn with_body(mismatch: Mismatch, document: &Document) -> Mismatch {
    let said = document.at("").map(|body| format!("  body: {}", excerpt(&body)));
    Mismatch { diff: said, ..mismatch }
}

fn excerpt(body: &Value) -> String {
    const CHARACTERS: usize = 300;
    let text = body.to_string();
    match text.char_indices().nth(CHARACTERS) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// What is at a place of a response; `document` is its body, read.
pub fn look_up<'a>(place: &Place, response: &Response, document: &'a Document) -> Option<Cow<'a, Value>> {
    match (place, document) {
        (Place::Status, _) => Some(Cow::Owned(Value::from(response.status))),
        (Place::Header(name), _) => response.header(name).map(|value| Cow::Owned(Value::from(value))),
        // Borrowed: a large body is not copied once per assertion.
        (Place::Body(pointer), Document::Json(value)) => value.pointer(pointer).map(Cow::Borrowed),
        (Place::Body(pointer), document) => document.at(pointer).map(Cow::Owned),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;
    use steady_model::Payload;

    use super::*;

    fn response() -> Response {
        let body = r#"{"total": 3, "rate": 1.0, "open": true, "note": null, "items": [1, 2], "id": "x"}"#;
        Response {
            status: 200,
            headers: vec![("content-type".into(), "application/json; charset=utf-8".into())],
            body: Payload::Text(body.into()),
            truncated: false,
        }
    }

    fn outcome(response: &Response, place: &str, matcher: Matcher) -> String {
        let variables = Variables::from_iter([("id", json!("x"))]);
        let assertion = Assertion::new(place.parse().unwrap(), matcher);
        match check(&assertion, response, &response.document(), &variables) {
            Ok(()) => "ok".into(),
            Err(mismatch) => mismatch.to_string(),
        }
    }

    #[test]
    fn each_matcher_says_what_it_expected() {
        let cases = [
            ("status", Matcher::Equals(json!(200)), "ok"),
            ("status", Matcher::Equals(json!(201)), "status: expected 201, got 200"),
            ("body:/total", Matcher::Equals(json!(3.0)), "ok"),
            ("body:/total", Matcher::Equals(json!(7)), "body:/total: expected 7, got 3"),
            ("body:/open", Matcher::Equals(json!(1)), "body:/open: expected 1, got true"),
            ("body:/note", Matcher::Equals(json!(null)), "ok"),
            ("body:/other", Matcher::Equals(json!(null)), "body:/other: expected null, got nothing"),
            ("body:/note", Matcher::Present, "ok"),
            ("body:/note", Matcher::Absent, "body:/note: expected nothing, got null"),
            ("body:/other", Matcher::Present, "body:/other: expected a value, got nothing"),
            ("body:/other", Matcher::Absent, "ok"),
            ("header:etag", Matcher::Absent, "ok"),
            ("body:/id", Matcher::Variable("id".into()), "ok"),
            (
                "body:/total",
                Matcher::Variable("id".into()),
                "body:/total: expected \"x\" (variable `id`), got 3",
            ),
            (
                "body:/total",
                Matcher::Variable("gone".into()),
                "body:/total: expected the value of variable `gone`, which has none, got 3",
            ),
            ("header:content-type", Matcher::MediaType("application/json".into()), "ok"),
            (
                "header:content-type",
                Matcher::MediaType("text/plain".into()),
                "header:content-type: expected media type text/plain, got \"application/json; charset=utf-8\"",
            ),
            ("body:/items", Matcher::Size(2), "ok"),
            ("body:/items", Matcher::Size(3), "body:/items: expected an array of 3 items, got 2"),
            ("body:/total", Matcher::Size(1), "body:/total: expected an array of 1 items, got 3"),
            ("body:/rate", Matcher::Type(JsonType::Integer), "ok"),
            ("body:/total", Matcher::Type(JsonType::Number), "ok"),
            (
                "body:/total",
                Matcher::Type(JsonType::String),
                "body:/total: expected type string, got integer 3",
            ),
        ];
        for (place, matcher, expected) in cases {
            assert_eq!(outcome(&response(), place, matcher.clone()), expected, "{place} {matcher:?}");
        }
    }

    #[test]
    fn what_is_only_known_now_is_filled_in() {
        let body =
            r#"{"self": "http://h:1/app/x/7", "links": [{"b": "http://h:1/app"}, "h:1"], "key": "s.cret"}"#;
        let response = Response { body: Payload::Text(body.into()), ..response() };
        let test: steady_model::TestCase = serde_json::from_value(json!({
            "name": "t", "group": "successes", "about": "", "calls": [{
                "operation": "GET /", "request": {"method": "GET", "target": "/"},
                "expect": [
                    {"where": "body:/self", "is": {"text": [{"base": "url"}, "/x/", {"var": "id"}]}},
                    {"where": "body:/self", "is": {"pattern": {"regex": [{"base": "origin"}, "/app/x/[0-9]+"], "what": "a link"}}},
                    {"where": "body:/links", "is": {"unordered": ["", {"b": ""}]},
                     "texts": {"/0": [{"base": "authority"}], "/1/b": [{"base": "origin"}, {"base": "path"}]}},
                    {"where": "body:/links/1", "is": {"one_of": ["a", ""]}, "texts": {"/1": [{"base": "authority"}]}},
                    {"where": "body:/links/0", "is": {"equals": {"b": ""}}, "texts": {"/b": [{"base": "url"}]}},
                    {"where": "body:/key", "is": {"pattern": {"regex": [{"env": "KEY"}], "what": "the key"}}},
                ],
            }],
        }))
        .unwrap();
        let secrets =
            |key: &str| steady_model::Secrets::new([("KEY".to_owned(), steady_model::Secret::new(key))]);
        let failing = |base: &str, key: &str| -> Vec<usize> {
            let variables = Variables::from_iter([("id", json!(7))])
                .at(steady_model::Base::at(base))
                .looked_up(&test, &secrets(key));
            let expect = test.calls[0].expect.iter().enumerate();
            let fails = |assertion| check(assertion, &response, &response.document(), &variables).is_err();
            expect.filter(|(_, assertion)| fails(assertion)).map(|(index, _)| index).collect()
        };
        assert_eq!(failing("http://h:1/app/", "s.cret"), [] as [usize; 0]);
        assert_eq!(failing("http://h:2/app", "s.cret"), [0, 1, 2, 3, 4]);
        assert_eq!(failing("http://h:1", "s.cret"), [0, 2, 4]);
        // Filled-in text is literal.
        assert_eq!(failing("http://h:1/app", "s[.]cret"), [5]);
        let unknown = check(&test.calls[0].expect[0], &response, &response.document(), &Variables::default());
        let message = unknown.unwrap_err().to_string();
        assert!(
            message.contains("text that cannot be filled in: the address of the API is not known"),
            "{message}"
        );
    }

    #[test]
    fn an_empty_body_is_absent_at_the_root() {
        let empty = Response { body: Payload::default(), ..response() };
        assert_eq!(outcome(&empty, "body:", Matcher::Absent), "ok");
        assert_ne!(outcome(&response(), "body:", Matcher::Absent), "ok");
    }

    #[test]
    fn a_body_that_was_cut_meets_nothing_and_says_so() {
        let cut = Response { truncated: true, ..response() };
        for matcher in [Matcher::Present, Matcher::Absent, Matcher::Equals(json!(3))] {
            let said = outcome(&cut, "body:/total", matcher);
            assert_eq!(said, "body:/total: expected a whole body, got a body that is too large and was cut");
        }
        assert_eq!(outcome(&cut, "body:/total", Matcher::Disabled), "ok");
        assert_eq!(outcome(&cut, "body:", Matcher::Present), "ok");
        assert_eq!(outcome(&cut, "status", Matcher::Equals(json!(200))), "ok");
    }

    #[test]
    fn a_wrong_status_shows_the_body() {
        let assertion = Assertion::new(Place::Status, Matcher::Equals(json!(201)));
        let response = response();
        let mismatch = check(&assertion, &response, &response.document(), &Variables::default()).unwrap_err();
        assert!(mismatch.diff.is_some_and(|diff| diff.starts_with("  body: {\"total\":3")));
    }

    proptest! {
        #[test]
        fn a_value_always_equals_itself_and_is_of_its_own_type(number in any::<f64>(), text in ".*") {
            for value in [json!(number), json!(text), json!([number, {"k": text}])] {
                let response = Response { body: Payload::Text(value.to_string().into()), ..response() };
                let own_type = JsonType::of(&value);
                prop_assert_eq!(outcome(&response, "body:", Matcher::Equals(value)), "ok");
                prop_assert_eq!(outcome(&response, "body:", Matcher::Type(own_type)), "ok");
            }
        }
    }
}
