//! JavaScript and TypeScript: Jest, with SuperAgent, SuperTest, axios and fetch.

use serde_json::Value;
use steady_edit::Span;
use steady_model::{Assertion, Matcher, Place};

use super::Finder;
use super::meaning::{containing, equality, size};
use super::subject::{At, Subject, assume_literal};
use crate::assertion::{Form, leaves};
use crate::pointer::{self, Ask};
use crate::syntax::{Action, Expr, Kind, Link, Statement, Step, method};

impl Finder<'_> {
    /// What the next step of a chain takes from a response.
    pub(super) fn script_access(
        &mut self,
        subject: &mut Subject,
        links: &[Link],
        at: usize,
    ) -> Option<(At, usize)> {
        let root = || At::Value(Place::Body(String::new()));
        let header = |name: &Expr| Some(At::Value(Place::Header(name.text()?.to_ascii_lowercase())));
        if let Some((name, arguments)) = method(links, at) {
            if let ("map", [Expr { kind: Kind::Lambda { parameters, body, result: true }, .. }]) =
                (name, arguments)
                && let ([item], [Statement { kind: Action::Return(element), .. }]) =
                    (parameters.as_slice(), body.as_slice())
            {
                let each = self.each(subject.clone(), item, element, links[at + 1].upto)?;
                return Some((each.at, at + 2));
            }
            let reached = match (&subject.at, name, arguments) {
                (At::Response, "json", []) => {
                    subject.once = true;
                    root()
                }
                (At::Response, "text", []) => {
                    subject.once = true;
                    At::Text
                }
                (At::Response, "status", []) => At::Value(Place::Status),
                (At::Response, "headers", []) => At::Headers,
                (At::Response | At::Headers, "get", [name]) => header(name)?,
                (_, "then", [handler, ..]) => self.script_then(subject, handler)?,
                // What else is called on a request before it is awaited configures it.
                (At::Response, _, [_, ..]) => {
                    subject.call.last_line = subject
                        .call
                        .last_line
                        .max(self.here.lines.line(links[at + 1].span.end.saturating_sub(1)));
                    At::Response
                }
                _ => return None,
            };
            return Some((reached, at + 2));
        }
        let reached = match (&subject.at, &links[at].kind) {
            (At::Response, Step::Member(name)) => self.script_field(subject, name)?.at,
            (At::Headers, Step::Index(name)) => header(name)?,
            (At::Headers, Step::Member(name)) => At::Value(Place::Header(name.to_ascii_lowercase())),
            (At::Value(Place::Body(outer)), Step::Member(name)) if name == "length" => {
                At::Length(outer.clone())
            }
            (At::Value(Place::Body(outer)), Step::Member(name)) => {
                At::Value(Place::Body(pointer::join(outer, name)))
            }
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

    /// A field of a response, or of an object of its body.
    pub(super) fn script_field(&self, subject: &Subject, field: &str) -> Option<Subject> {
        let at = match (&subject.at, field) {
            (At::Response, "status" | "statusCode") => At::Value(Place::Status),
            (At::Response, "header" | "headers") => At::Headers,
            (At::Response, "body" | "data") => At::Value(Place::Body(String::new())),
            (At::Response, "text") => At::Text,
            (At::Response, "type") => At::Value(Place::Header("content-type".to_owned())),
            (At::Value(Place::Body(outer)), _) => At::Value(Place::Body(pointer::join(outer, field))),
            _ => return None,
        };
        Some(Subject { at, ..subject.clone() })
    }

    /// The number of an object's fields: `Object.keys(x).length`.
    pub(super) fn script_keys(&mut self, links: &[Link], whole: &Expr) -> Option<Subject> {
        let ("keys", [object]) = method(links, 0)? else { return None };
        let [_, _, Link { kind: Step::Member(length), .. }] = links else { return None };
        let mut subject = self.resolve(object).filter(|_| length == "length")?;
        let At::Value(Place::Body(pointer)) = &subject.at else { return None };
        subject.at = At::Fields(pointer.clone());
        self.here.text[whole.span].clone_into(&mut subject.code);
        Some(subject)
    }

    /// Reads the handler of a promise with the response as its parameter, and says what it results in.
    fn script_then(&mut self, subject: &Subject, handler: &Expr) -> Option<At> {
        let Kind::Lambda { parameters, body, result } = &handler.kind else { return None };
        let [parameter] = parameters.as_slice() else { return None };
        let outer = self.scope.clone();
        self.bind_parameter(parameter, subject);
        let value = match body.as_slice() {
            [Statement { kind: Action::Return(value), .. }] if *result => self.resolve(value),
            _ => {
                self.run(body);
                None
            }
        };
        self.scope = outer;
        value.map(|value| value.at)
    }

    /// The expectations of SuperTest: `.expect(200)`, `.expect("content-type", "application/json")`.
    pub(super) fn script_chained(&mut self, value: &Expr) {
        let Kind::Chain(base, links) = &value.kind else { return };
        let Some((mut subject, mut next)) = self.origin(base, links) else { return };
        while next < links.len() {
            if let (At::Response, Some(("expect", arguments))) = (&subject.at, method(links, next)) {
                let span = Span::new(links[next].span.start, links[next + 1].span.end);
                self.script_expected(&subject, span, arguments);
            }
            match self.access(&mut subject, links, next) {
                Some(after) => next = after,
                None => return,
            }
        }
    }

    /// One call of `expect` of a chain of SuperTest.
    fn script_expected(&mut self, subject: &Subject, span: Span, arguments: &[Expr]) {
        let body = Place::Body(String::new());
        let is_object = |value: &Expr| matches!(value.kind, Kind::Map(_) | Kind::List(_));
        let status = |value: &Expr| match value.constant() {
            Some(Value::Number(status)) => {
                vec![Assertion::new(Place::Status, Matcher::Equals(Value::Number(status)))]
            }
            _ => Vec::new(),
        };
        match arguments {
            [Expr { kind: Kind::Lambda { parameters, body, .. }, .. }] => {
                let [parameter] = parameters.as_slice() else { return };
                let outer = self.scope.clone();
                let returned = self.returned.take();
                self.bind_parameter(parameter, subject);
                self.run(body);
                (self.scope, self.returned) = (outer, returned);
            }
            [object] if is_object(object) => {
                let places = leaves(&body, object);
                self.add_expected(Form::Expected, span, subject.call, places, Some(object), None);
            }
            [value] => self.add_link(Form::Expected, span, subject.call, status(value)),
            [code, object] if is_object(object) => {
                let places = [status(code), leaves(&body, object)].concat();
                self.add_expected(Form::Expected, span, subject.call, places, Some(object), Some(code));
            }
            [name, text] => {
                if let (Some(name), Some(text)) = (name.text(), text.text()) {
                    let place = Place::Header(name.to_ascii_lowercase());
                    let places = vec![Assertion::new(place, Matcher::Equals(text.into()))];
                    self.add_link(Form::Expected, span, subject.call, places);
                }
            }
            _ => {}
        }
    }

    pub(super) fn script_statement(&mut self, statement: &Statement, value: &Expr) {
        let Kind::Chain(base, links) = &value.kind else { return };
        let (Kind::Name(function), Some(Link { kind: Step::Call(subjects), .. })) =
            (&base.kind, links.first())
        else {
            return;
        };
        let [subject] = subjects.as_slice() else { return };
        if function != "expect" {
            return;
        }
        let (negated, at) = match links.get(1) {
            Some(Link { kind: Step::Member(name), .. }) if name == "not" => (true, 2),
            _ => (false, 1),
        };
        let Some((matcher, arguments)) = method(links, at).filter(|_| links.len() == at + 2) else { return };
        if negated {
            if let ("toBeNull" | "toBeUndefined", []) = (matcher, arguments) {
                self.script_expect(statement, subject, "toBeDefined", &[]);
            }
            return;
        }
        if let ("toBe" | "toEqual" | "toStrictEqual", [Expr { kind: Kind::Value(Value::Bool(true)), .. }]) =
            (matcher, arguments)
            && self.script_containing(statement, subject)
        {
            return;
        }
        self.script_expect(statement, subject, matcher, arguments);
    }

    /// `expect(text.startsWith("…")).toBe(true)`; says whether it was that.
    fn script_containing(&mut self, statement: &Statement, value: &Expr) -> bool {
        let Kind::Chain(base, links) = &value.kind else { return false };
        let Some((name @ ("startsWith" | "includes"), [text])) =
            links.len().checked_sub(2).and_then(|at| method(links, at))
        else {
            return false;
        };
        let Some(text) = text.text() else { return true };
        let Some((mut subject, mut next)) = self.origin(base, links) else { return true };
        while next < links.len() - 2 {
            match self.access(&mut subject, links, next) {
                Some(after) => next = after,
                None => return true,
            }
        }
        if let At::Value(place) = &subject.at {
            self.add(Form::Expect, statement, &subject, containing(place, text, name == "startsWith"));
        }
        true
    }

    fn script_expect(&mut self, statement: &Statement, value: &Expr, matcher: &str, arguments: &[Expr]) {
        let Some(mut subject) = self.resolve(value) else { return };
        if let [literal] = arguments {
            assume_literal(&mut subject, literal);
        }
        let undefined = |value: &Expr| matches!(&value.kind, Kind::Name(name) if name == "undefined");
        let one = |matcher| match &subject.at {
            At::Value(place) => vec![Assertion::new(place.clone(), matcher)],
            _ => Vec::new(),
        };
        let mut literal = None;
        let places = match (matcher, arguments) {
            ("toBe" | "toEqual" | "toStrictEqual", [value]) if undefined(value) => one(Matcher::Absent),
            ("toBe" | "toEqual" | "toStrictEqual", [value]) => {
                literal = Some(value);
                equality(&subject, value)
            }
            ("toMatchObject", [value]) => {
                literal = Some(value);
                match &subject.at {
                    At::Value(place) => leaves(place, value),
                    _ => Vec::new(),
                }
            }
            ("toHaveLength", [length]) => match &subject.at {
                At::Value(Place::Body(pointer)) => size(pointer, length),
                _ => Vec::new(),
            },
            ("toContain" | "toMatch", [text]) => match (&subject.at, text.text()) {
                // In a list, `toContain` looks for an item.
                (At::Value(Place::Body(_)), _) if matcher == "toContain" => return,
                (At::Value(place), Some(text)) => containing(place, text, false),
                (At::Text, Some(text)) => containing(&Place::Body(String::new()), text, false),
                _ => Vec::new(),
            },
            ("toHaveProperty", [path, rest @ ..]) => self.script_property(&subject, path, rest),
            ("toBeNull", []) => one(Matcher::Equals(Value::Null)),
            ("toBeUndefined", []) => one(Matcher::Absent),
            ("toBeDefined", []) => one(Matcher::Present),
            _ => return,
        };
        self.add_literal(Form::Expect, statement, &subject, places, literal);
    }

    fn script_property(&self, subject: &Subject, path: &Expr, rest: &[Expr]) -> Vec<Assertion> {
        let (At::Value(Place::Body(outer)), Some(path)) = (&subject.at, path.text()) else {
            return Vec::new();
        };
        let Some((inner, Ask::Value)) = pointer::from_gpath(path) else { return Vec::new() };
        let place = Place::Body(format!("{outer}{inner}"));
        match rest {
            [] => vec![Assertion::new(place, Matcher::Present)],
            [value] => match value.constant() {
                Some(value) => vec![Assertion::new(place, Matcher::Equals(value))],
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}
