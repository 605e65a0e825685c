//! How a run came to its end.

/// How a run came to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It did everything it set out to do, as far as its time went.
    Complete,
    /// The user ended it early.
    Interrupted,
    /// The API stopped answering, and did not come back.
    ApiGone {
        /// How many requests it answered before.
        requests: u64,
        /// What the last one got instead of an answer.
        error: String,
    },
}

impl Ending {
    /// Whether the results are those of a whole run.
    pub fn is_complete(&self) -> bool {
        matches!(self, Self::Complete)
    }
}
