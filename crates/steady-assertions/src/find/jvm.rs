//! Java and Kotlin: RestAssured's chains and getters, JUnit's and AssertJ's assertions.

use serde_json::Value;
use steady_edit::Span;
use steady_model::{Assertion, Matcher, Place};

use super::Finder;
use super::hamcrest::{constant, content_type, hamcrest, value_or_matcher};
use super::meaning::{containing, equality, size};
use super::subject::{At, Subject};
use crate::assertion::Form;
use crate::pointer::{self, Ask};
use crate::syntax::{Expr, Kind, Link, Statement, Step, method};

impl Finder<'_> {
    /// What the next step of a chain takes from a response.
    pub(super) fn jvm_access(&self, subject: &mut Subject, links: &[Link], at: usize) -> Option<(At, usize)> {
        let content_type = || At::Value(Place::Header("content-type".to_owned()));
        let Some((name, arguments)) = method(links, at) else {
            // Kotlin reads getters as properties.
            let Step::Member(name) = &links[at].kind else { return None };
            let reached = match (&subject.at, name.as_str()) {
                (At::Response, "statusCode") => At::Value(Place::Status),
                (At::Response, "contentType") => content_type(),
                (At::Response, "body") => At::Response,
                (At::Value(Place::Body(pointer)), "size") => At::Length(pointer.clone()),
                _ => return None,
            };
            return Some((reached, at + 1));
        };
        let reached = match (&subject.at, name, arguments) {
            (At::Response, "then", []) => At::Validation,
            (At::Validation, "extract", []) => At::Response,
            (At::Response, "response" | "body" | "getBody" | "andReturn" | "thenReturn" | "extract", []) => {
                At::Response
            }
            (At::Response, "statusCode" | "getStatusCode", []) => At::Value(Place::Status),
            (At::Response, "contentType" | "getContentType", []) => content_type(),
            (At::Response, "header" | "getHeader", [name]) => {
                At::Value(Place::Header(name.text()?.to_ascii_lowercase()))
            }
            (At::Response, "jsonPath", []) => At::Value(Place::Body(String::new())),
            (At::Response, "asString", []) => At::Text,
            (At::Response, "path", [path]) => self.jvm_get(subject, "path", path)?,
            (At::Value(Place::Body(root)), getter, [path])
                if root.is_empty() && getter.starts_with("get") =>
            {
                self.jvm_get(subject, "get", path)?
            }
            (At::Value(Place::Body(pointer)), "size", []) => At::Length(pointer.clone()),
            // Paths after these begin elsewhere.
            (At::Validation, "root" | "rootPath" | "appendRoot" | "appendRootPath", _) => return None,
            (At::Response | At::Validation, "log", []) => return Some((subject.at.clone(), at + 4)),
            (At::Validation, ..) => At::Validation,
            _ => return None,
        };
        Some((reached, at + 2))
    }

    /// A value that a getter takes from the body by its path.
    fn jvm_get(&self, subject: &mut Subject, getter: &str, path: &Expr) -> Option<At> {
        let (pointer, ask) = pointer::from_gpath(path.text()?)?;
        if !subject.once {
            subject.known.insert(String::new(), format!("{}.{getter}", subject.code));
        }
        match ask {
            Ask::Value => Some(At::Value(Place::Body(pointer))),
            Ask::Size => Some(At::Length(pointer)),
            Ask::Empty => None,
        }
    }

    /// The assertions in a chain of RestAssured after its `then()`.
    pub(super) fn jvm_chained(&mut self, value: &Expr) {
        let Kind::Chain(base, links) = &value.kind else { return };
        let Some((mut subject, mut next)) = self.origin(base, links) else { return };
        while next < links.len() {
            if let (At::Validation, Some((name, arguments))) = (&subject.at, method(links, next))
                && let Some((form, places)) = validation(name, arguments)
            {
                let span = Span::new(links[next].span.start, links[next + 1].span.end);
                self.add_link(form, span, subject.call, places);
            }
            match self.access(&mut subject, links, next) {
                Some(after) => next = after,
                None => return,
            }
        }
    }

    pub(super) fn jvm_statement(&mut self, statement: &Statement, value: &Expr) {
        let Kind::Chain(base, links) = &value.kind else { return };
        let Kind::Name(name) = &base.kind else { return };
        let (function, arguments, rest) = match (links.as_slice(), method(links, 0)) {
            ([Link { kind: Step::Call(arguments), .. }, rest @ ..], _) => {
                (name.as_str(), arguments.as_slice(), rest)
            }
            ([_, _, rest @ ..], Some((function, arguments)))
                if matches!(name.as_str(), "Assertions" | "Assert" | "MatcherAssert" | "TestCase") =>
            {
                (function, arguments, rest)
            }
            _ => return,
        };
        match (function, arguments) {
            ("assertEquals", [expected, actual]) => self.jvm_equal(statement, expected, actual),
            // JUnit 4 takes its message first, JUnit 5 last.
            ("assertEquals", [first, second, third]) => {
                if first.text().is_some() && self.resolve(third).is_some() {
                    self.jvm_equal(statement, second, third);
                } else {
                    self.jvm_equal(statement, first, second);
                }
            }
            ("assertTrue" | "assertFalse", [actual, ..]) => {
                let truth = Kind::Value(Value::Bool(function == "assertTrue"));
                self.jvm_equal(statement, &Expr { span: actual.span, kind: truth }, actual);
            }
            ("assertNull", [actual, ..]) => {
                let null = Expr { span: actual.span, kind: Kind::Value(Value::Null) };
                self.jvm_equal(statement, &null, actual);
            }
            ("assertNotNull", [actual, ..]) => self.jvm_holds(statement, actual, |place| {
                Some(vec![Assertion::new(place.clone(), Matcher::Present)])
            }),
            ("assertThat", [actual, matcher] | [_, actual, matcher]) if rest.is_empty() => {
                self.jvm_holds(statement, actual, |place| hamcrest(place, matcher));
            }
            ("assertThat", [actual]) => {
                if let (Some((check, arguments)), 2) = (method(rest, 0), rest.len()) {
                    self.assertj(statement, actual, check, arguments);
                }
            }
            _ => {}
        }
    }

    fn jvm_equal(&mut self, statement: &Statement, expected: &Expr, actual: &Expr) {
        for (value, literal) in [(actual, expected), (expected, actual)] {
            if let Some(subject) = self.resolve(value) {
                let places = equality(&subject, &constant(literal));
                self.add(Form::AssertThat, statement, &subject, places);
                return;
            }
        }
    }

    fn jvm_holds(
        &mut self,
        statement: &Statement,
        actual: &Expr,
        holds: impl FnOnce(&Place) -> Option<Vec<Assertion>>,
    ) {
        let Some(subject) = self.resolve(actual) else { return };
        let places = match &subject.at {
            At::Value(place) => holds(place),
            At::Text => holds(&Place::Body(String::new())),
            At::Length(pointer) => holds(&Place::Body(pointer.clone())).and_then(|places| sizes(&places)),
            At::Response | At::Validation | At::Headers | At::Fields(_) | At::Each { .. } => None,
        };
        self.add(Form::AssertThat, statement, &subject, places.unwrap_or_default());
    }

    fn assertj(&mut self, statement: &Statement, actual: &Expr, check: &str, arguments: &[Expr]) {
        if let ("isEqualTo", [expected]) = (check, arguments) {
            return self.jvm_equal(statement, expected, actual);
        }
        self.jvm_holds(statement, actual, |place| match (check, arguments, place) {
            ("startsWith", [text], _) => Some(containing(place, text.text()?, true)),
            ("hasSize", [length], Place::Body(pointer)) => Some(size(pointer, length)),
            (_, [], _) => {
                let matcher = match check {
                    "isNotNull" => Matcher::Present,
                    "isNull" => Matcher::Equals(Value::Null),
                    "isTrue" => Matcher::Equals(true.into()),
                    "isFalse" => Matcher::Equals(false.into()),
                    _ => return None,
                };
                Some(vec![Assertion::new(place.clone(), matcher)])
            }
            _ => None,
        });
    }
}

/// Equalities with a number, taken as sizes.
fn sizes(places: &[Assertion]) -> Option<Vec<Assertion>> {
    let [Assertion { place, matcher: Matcher::Equals(Value::Number(size)), .. }] = places else {
        return None;
    };
    let size = usize::try_from(size.as_u64()?).ok()?;
    Some(vec![Assertion::new(place.clone(), Matcher::Size(size))])
}

/// An equality with `true`, taken as one with the empty object.
fn emptiness(mut places: Vec<Assertion>) -> Option<Vec<Assertion>> {
    for assertion in &mut places {
        (assertion.matcher == Matcher::Equals(true.into())).then_some(())?;
        assertion.matcher = Matcher::Equals(Value::Object(serde_json::Map::new()));
    }
    Some(places)
}

/// What a call after `then()` asserts.
fn validation(name: &str, arguments: &[Expr]) -> Option<(Form, Vec<Assertion>)> {
    let plain = Form::Chained { quoted: false, text: false };
    match (name, arguments) {
        ("statusCode", [status]) => Some((plain, value_or_matcher(&Place::Status, status)?)),
        ("contentType", [value]) => Some((plain, content_type(value)?)),
        ("header", [name, value]) => {
            let place = Place::Header(name.text()?.to_ascii_lowercase());
            Some((plain, value_or_matcher(&place, value)?))
        }
        ("body" | "content", [matcher]) => {
            let places = hamcrest(&Place::Body(String::new()), matcher)?;
            Some((Form::Chained { quoted: false, text: true }, places))
        }
        ("body" | "content", pairs) if !pairs.is_empty() && pairs.len().is_multiple_of(2) => {
            let mut places = Vec::new();
            let mut quoted = false;
            for pair in pairs.chunks_exact(2) {
                let path = pair[0].text()?;
                quoted |= path.contains('\'');
                let (pointer, ask) = pointer::from_gpath(path)?;
                let found = hamcrest(&Place::Body(pointer), &pair[1])?;
                places.extend(match ask {
                    Ask::Value => found,
                    Ask::Size => sizes(&found)?,
                    Ask::Empty => emptiness(found)?,
                });
            }
            Some((Form::Chained { quoted, text: false }, places))
        }
        _ => None,
    }
}
