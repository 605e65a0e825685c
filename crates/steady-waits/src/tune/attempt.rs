//! One run with one value, and what came of it.

use serde::Serialize;

/// The next run to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Attempt {
    /// The wait, in milliseconds.
    pub ms: u64,
    /// What the run is for.
    pub why: Why,
}

/// What a run is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "for", rename_all = "snake_case")]
pub enum Why {
    /// The test as it is: does it fail, and how long does it take?
    Baseline,
    /// A candidate, by its place in the list from 1.
    Candidate {
        /// Its place.
        rank: usize,
    },
    /// A value longer than all candidates: none of them held.
    Longer,
    /// A value between one that is too short and one that seems to hold.
    Between {
        /// Too short, or the lowest there is.
        low: u64,
        /// Seems to hold.
        high: u64,
    },
    /// The value that is left: it has to pass as often as was asked.
    Confirm,
}

/// What came of a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Outcome {
    /// Whether the test passed.
    pub passed: bool,
    /// How long it took, in milliseconds.
    pub milliseconds: f64,
}

/// What is known of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It failed.
    Rejected,
    /// It never failed so far: enough to look for a shorter one.
    Promising,
    /// It passed as often as was asked, and never failed.
    Trusted,
}

/// A value that was decided about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Decided {
    /// The value, in milliseconds.
    pub ms: u64,
    /// What is known of it now.
    pub standing: Standing,
    /// Its runs.
    pub runs: u64,
    /// Those that passed.
    pub passed: u64,
}
