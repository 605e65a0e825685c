//! Responses, and what is taken from them.

use std::collections::BTreeMap;

use steady_model::Place;

use crate::assertion::CallSite;
use crate::syntax::{Expr, Kind};

/// A response, or what was taken from it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Subject {
    pub(super) call: CallSite,
    pub(super) at: At,
    pub(super) code: String,
    pub(super) known: BTreeMap<String, String>,
    pub(super) once: bool,
    /// The code of the request, where the subject's code makes it.
    pub(super) request: Option<String>,
    /// Whether it is what a function of another file returns: a response, or the body of one.
    pub(super) foreign: bool,
    /// Whether it was taken for the body of a response.
    pub(super) assumed: bool,
}

/// How far into a response an expression reaches.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum At {
    Response,
    /// A response that is being validated, after `then()`.
    Validation,
    Headers,
    Value(Place),
    /// The body as text.
    Text,
    /// The length of the array there.
    Length(String),
    /// The number of fields of the object there.
    Fields(String),
    /// What is at a pointer in every item of the array there.
    Each {
        list: String,
        path: String,
    },
}

/// Takes what a function of another file returns for the body of a response.
pub(super) fn assume_body(subject: &mut Subject) {
    subject.at = At::Value(Place::Body(String::new()));
    subject.assumed = true;
    subject.known.insert(String::new(), subject.code.clone());
}

/// The same, where it is compared with an object or a list.
pub(super) fn assume_literal(subject: &mut Subject, literal: &Expr) {
    if subject.foreign && subject.at == At::Response && matches!(literal.kind, Kind::Map(_) | Kind::List(_)) {
        assume_body(subject);
    }
}
