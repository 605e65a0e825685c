//! Values that are not the same in every run.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Step;
use crate::rerun::Category;
use crate::{MatcherName, OperationId, Place};

/// A place whose value is not the same in every run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Flaky {
    /// The operation that answered.
    pub operation: OperationId,
    /// The status it answered with.
    pub status: u16,
    /// Where the value is.
    #[serde(rename = "where")]
    pub place: Place,
    /// Why it varies.
    pub category: Category,
    /// Which runs showed it.
    pub evidence: Vec<Step>,
    /// Values seen, shortened.
    pub observed: Vec<String>,
    /// How the assertion was handled.
    pub handling: Handling,
    /// The matcher that is left.
    pub matcher: MatcherName,
    /// Why an assertion that was kept holds all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The tests concerned.
    pub tests: Vec<String>,
}

impl Flaky {
    /// Whether no run showed it: only the form of its value, or what other answers showed, speaks for it.
    pub fn is_inferred(&self) -> bool {
        self.evidence.iter().all(|step| *step == Step::Inferred)
    }
}

/// How an assertion that does not hold every time was handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Handling {
    /// It asserts less.
    Relaxed,
    /// It is a comment.
    Disabled,
    /// It is as it was.
    Kept,
    /// It asserts a variable of the test.
    Captured,
}

impl fmt::Display for Handling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Relaxed => "relaxed",
            Self::Disabled => "disabled",
            Self::Kept => "kept",
            Self::Captured => "captured",
        })
    }
}
