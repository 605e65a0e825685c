//! What every format is read into, before tests of the same name are numbered.

use steady_model::rerun::Outcome;

use crate::text;

/// A test of one report, with every try the report names.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Case {
    /// Its name, made by [`crate::identity::id`].
    pub(crate) id: String,
    /// Where it is written, to order tests of the same name; 0 where the report does not say.
    pub(crate) line: u32,
    /// Every try, the last one counts.
    pub(crate) attempts: Vec<Attempt>,
}

/// One try of a test.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Attempt {
    pub(crate) outcome: Outcome,
    pub(crate) milliseconds: Option<f64>,
    pub(crate) message: Option<String>,
}

impl Case {
    /// A test with a single try.
    pub(crate) fn once(id: String, attempt: Attempt) -> Self {
        Self { id, line: 0, attempts: vec![attempt] }
    }
}

impl Attempt {
    /// A try, with its message cleaned and shortened; a test that passed has nothing to say.
    pub(crate) fn new(outcome: Outcome, milliseconds: Option<f64>, message: &str) -> Self {
        let message = if outcome == Outcome::Passed { None } else { text::message(message) };
        Self { outcome, milliseconds: milliseconds.and_then(text::duration), message }
    }

    /// A test that started and has no further record.
    pub(crate) fn unfinished() -> Self {
        Self::new(Outcome::Failed, None, "the run ended before this test did")
    }
}
