//! Python: `requests`, `httpx` and the test clients that answer like them.

use serde_json::Value;
use steady_model::{Assertion, Matcher, Place};

use super::Finder;
use super::meaning::{containing, equality};
use super::subject::{At, Subject, assume_literal};
use crate::assertion::Form;
use crate::pointer;
use crate::syntax::{Expr, Kind, Link, Statement, Step, method};

/// What the next step of a chain takes from a response.
pub(super) fn access(subject: &Subject, links: &[Link], at: usize) -> Option<(At, usize)> {
    if let Some((name, arguments)) = method(links, at) {
        let reached = match (&subject.at, name, arguments) {
            (At::Response, "json" | "get_json", []) => At::Value(Place::Body(String::new())),
            (At::Response, "text", []) => At::Text,
            (At::Headers, "get", [name]) => At::Value(Place::Header(name.text()?.to_ascii_lowercase())),
            (At::Value(Place::Body(outer)), "get", [name]) => {
                At::Value(Place::Body(pointer::join(outer, name.text()?)))
            }
            _ => return None,
        };
        return Some((reached, at + 2));
    }
    let reached = match (&subject.at, &links[at].kind) {
        (At::Response, Step::Member(name)) => match name.as_str() {
            "status_code" | "status" => At::Value(Place::Status),
            "headers" => At::Headers,
            "json" | "data" => At::Value(Place::Body(String::new())),
            "text" | "content" => At::Text,
            _ => return None,
        },
        (At::Headers, Step::Index(name)) => At::Value(Place::Header(name.text()?.to_ascii_lowercase())),
        (At::Value(Place::Body(outer)), Step::Index(index)) => {
            let step = match index.constant()? {
                Value::String(name) => name,
                Value::Number(index) => index.as_u64()?.to_string(),
                _ => return None,
            };
            At::Value(Place::Body(pointer::join(outer, &step)))
        }
        _ => return None,
    };
    Some((reached, at + 1))
}

impl Finder<'_> {
    pub(super) fn python_length(&mut self, arguments: &[Expr], whole: &Expr) -> Option<Subject> {
        let [array] = arguments else { return None };
        let mut subject = self.resolve(array)?;
        let At::Value(Place::Body(pointer)) = &subject.at else { return None };
        subject.at = At::Length(pointer.clone());
        self.here.text[whole.span].clone_into(&mut subject.code);
        Some(subject)
    }

    pub(super) fn python_assert(&mut self, statement: &Statement, condition: &Expr) {
        self.python_condition(Form::Assert, statement, condition);
    }

    fn python_condition(&mut self, form: Form, statement: &Statement, condition: &Expr) {
        match &condition.kind {
            Kind::Compare { operator, left, right } => match operator.as_str() {
                "==" | "is" => self.python_equal(form, statement, left, right),
                "in" => self.python_in(form, statement, left, right),
                "is not" | "!=" if matches!(right.kind, Kind::Value(Value::Null)) => {
                    self.python_present(form, statement, left);
                }
                _ => {}
            },
            Kind::Chain(base, links) => {
                let Some((name @ ("startswith" | "__contains__"), [text])) =
                    links.len().checked_sub(2).and_then(|at| method(links, at))
                else {
                    return;
                };
                let (Some(text), from_start) = (text.text(), name == "startswith") else { return };
                let Some((mut subject, mut next)) = self.origin(base, links) else { return };
                while next < links.len() - 2 {
                    let Some(after) = self.access(&mut subject, links, next) else { return };
                    next = after;
                }
                if let At::Value(place) = &subject.at {
                    self.add(form, statement, &subject, containing(place, text, from_start));
                }
            }
            _ => {}
        }
    }

    /// Equality, with the literal on either side.
    fn python_equal(&mut self, form: Form, statement: &Statement, left: &Expr, right: &Expr) {
        for (value, literal) in [(left, right), (right, left)] {
            if let Some(mut subject) = self.resolve(value) {
                assume_literal(&mut subject, literal);
                let places = equality(&subject, literal);
                self.add_literal(form, statement, &subject, places, Some(literal));
                return;
            }
        }
    }

    /// `"application/json" in headers[…]`, or `"id" in body`.
    fn python_in(&mut self, form: Form, statement: &Statement, left: &Expr, right: &Expr) {
        if let (Some(text), Some(subject)) = (left.text(), self.resolve(right)) {
            let places = match &subject.at {
                At::Value(place @ Place::Header(_)) => containing(place, text, false),
                At::Text => containing(&Place::Body(String::new()), text, false),
                At::Value(Place::Body(outer)) => {
                    vec![Assertion::new(Place::Body(pointer::join(outer, text)), Matcher::Present)]
                }
                _ => return,
            };
            self.add(form, statement, &subject, places);
        } else if let (Some(subject), Some(Value::Array(values))) = (self.resolve(left), right.constant())
            && let At::Value(place) = &subject.at
        {
            let places = vec![Assertion::new(place.clone(), Matcher::OneOf(values))];
            self.add(form, statement, &subject, places);
        }
    }

    fn python_present(&mut self, form: Form, statement: &Statement, value: &Expr) {
        if let Some(subject) = self.resolve(value)
            && let At::Value(place) = &subject.at
        {
            let places = vec![Assertion::new(place.clone(), Matcher::Present)];
            self.add(form, statement, &subject, places);
        }
    }

    pub(super) fn python_statement(&mut self, statement: &Statement, value: &Expr) {
        let Kind::Chain(base, links) = &value.kind else { return };
        let (Kind::Name(receiver), Some((name, arguments)), 2) = (&base.kind, method(links, 0), links.len())
        else {
            return;
        };
        if receiver != "self" {
            return;
        }
        let form = Form::Unittest;
        match (name, arguments) {
            (
                "assertEqual" | "assertEquals" | "assertDictEqual" | "assertListEqual" | "assertIs",
                [left, right, ..],
            ) => self.python_equal(form, statement, left, right),
            ("assertIn", [left, right, ..]) => self.python_in(form, statement, left, right),
            ("assertTrue", [condition, ..]) => self.python_condition(form, statement, condition),
            ("assertIsNotNone", [value, ..]) => self.python_present(form, statement, value),
            ("assertIsNone", [value, ..]) => {
                let null = Expr { span: value.span, kind: Kind::Value(Value::Null) };
                self.python_equal(form, statement, value, &null);
            }
            _ => {}
        }
    }
}
