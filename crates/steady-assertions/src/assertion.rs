//! The assertions of a file.

use std::collections::BTreeMap;

use serde_json::Value;
use steady_edit::Span;
use steady_model::{Assertion, Matcher, Place};

use crate::pointer;
use crate::syntax::{Block, Expr, Kind};

/// Something the source asserts about a response.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceAssertion {
    /// Where it stands, in bytes: a whole statement, or one call of a chain from its dot to its closing parenthesis.
    pub span: Span,
    /// The line it begins on, counted from 1.
    pub line: usize,
    /// The test it stands in: the name of the method or function; for Jest, the titles around it and its own, as Jest prints
    /// them.
    pub test: String,
    /// The request whose response it speaks of.
    pub call: CallSite,
    /// Further requests that it speaks of: it stands in a function that several tests call.
    pub also: Vec<CallSite>,
    /// Whether it takes what a function elsewhere returns for the body of a response, which nothing but its use shows.
    pub assumed: bool,
    /// What it asserts. An object or array that is compared whole is listed leaf by leaf, arrays with their size.
    pub places: Vec<Assertion>,
    /// The bodies of other responses that the test holds where it stands.
    pub held: Vec<HeldBody>,
    /// Whether it can be relaxed; one that cannot be may still be disabled.
    pub supported: bool,
}

/// The body of a response, or a part of one, in a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldBody {
    /// The code that reads it.
    pub name: String,
    /// What of the body it is, by JSON pointer.
    pub pointer: String,
    /// The request that got it.
    pub call: CallSite,
}

impl HeldBody {
    /// The variable that a [`Matcher::Variable`] names for a field of the body: this one's, and the pointer below it. None where
    /// it does not hold the field.
    pub fn variable(&self, field: &str) -> Option<String> {
        let below = field.strip_prefix(self.pointer.as_str())?;
        below.starts_with('/').then(|| format!("{}{below}", self.name))
    }
}

/// An assertion that cannot be followed back to a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotFollowed {
    /// The line it begins on, counted from 1.
    pub line: usize,
    /// The first line of its code.
    pub code: String,
    /// Why not.
    pub reason: &'static str,
}

/// The lines of a request expression, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallSite {
    /// The line it begins on.
    pub first_line: usize,
    /// The line it ends on.
    pub last_line: usize,
    /// Which of the files of fixtures it stands in, by its place among those that the source was read with; none: the source itself.
    pub fixture_file: Option<usize>,
}

/// How an assertion is written, for those who rewrite it.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub form: Form,
    /// The place its subject is.
    pub place: Place,
    /// The code of its subject; empty in chains.
    pub subject: String,
    /// Code that reaches values in the body, by pointer.
    pub known: BTreeMap<String, String>,
    /// The literal it compares with, when it is an object or array.
    pub literal: Option<Expr>,
    /// The block its statement stands in.
    pub block: Option<Block>,
    /// Whether its subject is made where it stands and can be had only once: a request, a body that is read.
    pub once: bool,
    /// Whether its subject is the length of what is at its place.
    pub length: bool,
    /// Its subject is a list of what is at this pointer in every item of the list at its place.
    pub each: Option<String>,
    /// The code of the request, where its subject makes one.
    pub request: Option<String>,
    /// The status that a call of SuperTest expects besides the body, as it is written.
    pub status: Option<String>,
    /// The code around it whose names it shares.
    pub scope: Span,
}

/// The forms an assertion may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// `.body("id", equalTo(3))` in a chain of RestAssured; with names in quotes, or without a path.
    Chained { quoted: bool, text: bool },
    /// `.expect(200)` in a chain of SuperTest.
    Expected,
    /// `assertThat(…)` and `assertEquals(…)`.
    AssertThat,
    /// Python's `assert`.
    Assert,
    /// `self.assertEqual(…)`.
    Unittest,
    /// `expect(…)` of Jest.
    Expect,
}

/// What equality of a place with a literal asserts: its leaves, as far as they are constant.
pub(crate) fn leaves(place: &Place, literal: &Expr) -> Vec<Assertion> {
    let mut found = Vec::new();
    collect(place, literal, &mut found);
    found
}

fn collect(place: &Place, literal: &Expr, found: &mut Vec<Assertion>) {
    let inner = |step: &str| match place {
        Place::Body(outer) => Some(Place::Body(pointer::join(outer, step))),
        Place::Status | Place::Header(_) => None,
    };
    match &literal.kind {
        Kind::Value(value) => found.push(Assertion::new(place.clone(), Matcher::Equals(value.clone()))),
        Kind::Map(fields) if fields.is_empty() => {
            found.push(Assertion::new(place.clone(), Matcher::Equals(Value::Object(serde_json::Map::new()))));
        }
        Kind::Map(fields) => {
            for (name, value) in fields {
                if let Some(place) = inner(name) {
                    collect(&place, value, found);
                }
            }
        }
        Kind::List(items) => {
            found.push(Assertion::new(place.clone(), Matcher::Size(items.len())));
            for (index, item) in items.iter().enumerate() {
                if let Some(place) = inner(&index.to_string()) {
                    collect(&place, item, found);
                }
            }
        }
        _ => {}
    }
}

/// The part of a literal that stands for a place, given the place of the whole; `each` is what the literal has of every item.
pub(crate) fn part<'e>(
    literal: &'e Expr,
    place: &Place,
    whole: &Place,
    each: Option<&str>,
) -> Option<&'e Expr> {
    let (Place::Body(inner), Place::Body(outer)) = (place, whole) else { return None };
    let mut steps = pointer::below(inner, outer)?;
    if let Some(each) = each {
        let taken = pointer::steps(each);
        (steps.len() > taken.len() && steps[1..=taken.len()] == taken).then_some(())?;
        steps.drain(1..=taken.len());
    }
    let mut part = literal;
    for step in steps {
        part = match &part.kind {
            Kind::Map(fields) => &fields.iter().find(|(name, _)| *name == step)?.1,
            Kind::List(items) => items.get(step.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(part)
}

/// An assertion as it was found.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub span: Span,
    pub call: CallSite,
    pub assumed: bool,
    pub places: Vec<Assertion>,
    pub held: Vec<HeldBody>,
    pub site: Site,
}
