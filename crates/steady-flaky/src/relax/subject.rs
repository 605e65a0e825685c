//! What is known about a call, and what became of its assertions.

use std::fmt;

use jiff::Timestamp;
use steady_model::rerun::Category;
use steady_model::{Assertion, Call, Place};

use super::documented::Schema;
use crate::Observation;
use crate::infer::Fact;

/// A call and all that is known about it.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The call.
    pub call: &'a Call,
    /// Each time it was made; the assertions were written from the first.
    pub seen: &'a [&'a Observation],
    /// What the document says about such a response's body.
    pub schema: Option<Schema<'a>>,
    /// The time of the first response, to tell times of this run from others.
    pub now: Timestamp,
    /// Texts that are this machine's or the API's process's: a port, a host name, a folder.
    pub own: &'a [Fact],
    /// Whether the response is about something that the test did not create, and nothing showed that a fresh start has the same.
    pub borrowed: bool,
    /// Variables whose values the test makes up: that they come back says nothing about the API.
    pub fresh: &'a [&'a str],
}

/// What to do with an assertion that does not hold every time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Policy {
    /// Say the strongest thing that is true.
    #[default]
    Relax,
    /// Turn it into a comment.
    Disable,
    /// Leave it, and report it.
    Keep,
}

/// What became of an assertion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handling {
    /// It says less.
    Relaxed,
    /// It is a comment.
    Disabled,
    /// It is as it was.
    Kept,
    /// It speaks of a variable of the test.
    Captured,
    /// It is as it was, and true: the test now brings about itself what the value depends on.
    Avoided,
}

impl Handling {
    /// Why nothing had to be done, where that is so.
    pub fn note(self) -> Option<&'static str> {
        (self == Self::Avoided).then_some("the test brings about itself what it depends on")
    }
}

impl fmt::Display for Handling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Relaxed => "relaxed",
            Self::Disabled => "disabled",
            Self::Kept | Self::Avoided => "kept",
            Self::Captured => "captured",
        })
    }
}

/// A place that is not the same every time, or will not be.
#[derive(Debug, Clone, PartialEq)]
pub struct Moving {
    /// Where.
    pub place: Place,
    /// Why.
    pub category: Category,
    /// How that is known, as in `findings.json`.
    pub evidence: Vec<String>,
    /// Values seen, shortened.
    pub observed: Vec<String>,
    /// What became of its assertion.
    pub handling: Handling,
    /// The name of the strongest matcher left.
    pub matcher: String,
}

/// The assertions that are true, and what is not the same every time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Handled {
    /// The assertions, in the order they came.
    pub expect: Vec<Assertion>,
    /// One entry per place.
    pub moving: Vec<Moving>,
    /// Places whose assertions never hold: they fail, and are left as they were.
    pub failing: Vec<Place>,
}
