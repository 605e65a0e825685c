//! Keeps an assertion that was found, with all that rewriting it needs to know.

use std::collections::BTreeMap;

use steady_edit::Span;
use steady_model::{Assertion, Place};

use super::Finder;
use super::subject::{At, Subject};
use crate::assertion::{CallSite, Form, Found, HeldBody, Site};
use crate::language::Language;
use crate::syntax::{Expr, Kind, Statement};

impl Finder<'_> {
    pub(super) fn add(
        &mut self,
        form: Form,
        statement: &Statement,
        subject: &Subject,
        places: Vec<Assertion>,
    ) {
        self.add_literal(form, statement, subject, places, None);
    }

    pub(super) fn add_literal(
        &mut self,
        form: Form,
        statement: &Statement,
        subject: &Subject,
        places: Vec<Assertion>,
        literal: Option<&Expr>,
    ) {
        let place = match &subject.at {
            At::Value(place) => place.clone(),
            At::Length(pointer) | At::Fields(pointer) | At::Each { list: pointer, .. } => {
                Place::Body(pointer.clone())
            }
            At::Text => Place::Body(String::new()),
            At::Response | At::Validation | At::Headers => return,
        };
        // A statement that another could not take the place of is left alone, and so is one whose line begins in a string:
        // a comment could not stand above it.
        let before = &self.here.text[self.here.lines.line_start(statement.span.start)..statement.span.start];
        let in_string =
            self.language == Language::Python && (before.contains("\"\"\"") || before.contains("'''"));
        if places.is_empty() || statement.block.is_none() || in_string {
            return;
        }
        let literal = literal.filter(|literal| matches!(literal.kind, Kind::List(_) | Kind::Map(_)));
        let each = match &subject.at {
            At::Each { path, .. } => Some(path.clone()),
            _ => None,
        };
        let site = Site {
            form,
            place,
            subject: subject.code.clone(),
            known: subject.known.clone(),
            literal: literal.cloned(),
            block: statement.block,
            once: subject.once,
            length: matches!(subject.at, At::Length(_) | At::Fields(_)),
            each,
            request: subject.request.clone(),
            status: None,
            scope: self.scope_of(statement.span),
        };
        let assumed = subject.assumed;
        let held = self.held_besides(subject);
        let span = statement.span;
        self.found.push(Found { span, call: subject.call, assumed, places, held, site });
    }

    /// The bodies of responses to other requests that have a name here.
    pub(super) fn held_besides(&self, subject: &Subject) -> Vec<HeldBody> {
        let held = |(name, other): (&String, &Subject)| match &other.at {
            At::Value(Place::Body(pointer)) if other.call != subject.call && !other.assumed => {
                Some(HeldBody { name: name.clone(), pointer: pointer.clone(), call: other.call })
            }
            _ => None,
        };
        self.scope.iter().filter_map(held).collect()
    }

    /// The code whose names a statement shares: its test, or the whole file for one of a function.
    pub(super) fn scope_of(&self, span: Span) -> Span {
        if self.test.covers(span) { self.test } else { Span::new(0, self.here.text.len()) }
    }

    pub(super) fn add_link(&mut self, form: Form, span: Span, call: CallSite, places: Vec<Assertion>) {
        self.add_expected(form, span, call, places, None, None);
    }

    /// A call of a chain, with the literal that it compares the body with and the status besides.
    pub(super) fn add_expected(
        &mut self,
        form: Form,
        span: Span,
        call: CallSite,
        places: Vec<Assertion>,
        literal: Option<&Expr>,
        status: Option<&Expr>,
    ) {
        let Some(first) = places.first() else { return };
        let site = Site {
            form,
            place: if literal.is_some() { Place::Body(String::new()) } else { first.place.clone() },
            subject: String::new(),
            known: BTreeMap::new(),
            literal: literal.cloned(),
            block: None,
            once: false,
            length: false,
            each: None,
            request: None,
            status: status.map(|status| self.here.text[status.span].to_owned()),
            scope: self.scope_of(span),
        };
        self.found.push(Found { span, call, assumed: false, places, held: Vec::new(), site });
    }
}
