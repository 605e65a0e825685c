//! What is known about a call, and what became of its assertions.

use jiff::Timestamp;
use steady_model::rerun::Category;
use steady_model::{Assertion, Call, Flaky, Handling, MatcherName, OperationId, Place, Step};

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
    /// The time of the first response, to distinguish times of this run from others.
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

/// A place that is not the same every time, or will not be.
#[derive(Debug, Clone, PartialEq)]
pub struct Moving {
    /// Where.
    pub place: Place,
    /// Why.
    pub category: Category,
    /// Which runs showed it.
    pub evidence: Vec<Step>,
    /// Values seen, shortened.
    pub observed: Vec<String>,
    /// How its assertion was handled.
    pub handling: Handling,
    /// Whether the test now brings about itself what the value depends on: the assertion is as it was, and true.
    pub avoided: bool,
    /// The strongest matcher left.
    pub matcher: MatcherName,
}

impl Moving {
    /// Whether no run showed it.
    pub fn is_inferred(&self) -> bool {
        self.evidence.iter().all(|step| *step == Step::Inferred)
    }

    /// The finding about it, for a call of an operation that was answered with a status. No test is named yet.
    pub fn finding(&self, operation: OperationId, status: u16) -> Flaky {
        Flaky {
            operation,
            status,
            place: self.place.clone(),
            category: self.category,
            evidence: self.evidence.clone(),
            observed: self.observed.clone(),
            handling: self.handling,
            matcher: self.matcher,
            note: self.note(),
            tests: Vec::new(),
        }
    }

    /// Why nothing had to be done, where that is so.
    pub(crate) fn note(&self) -> Option<String> {
        self.avoided.then(|| "the test brings about itself what it depends on".to_owned())
    }
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
