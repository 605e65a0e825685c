//! What a runner cannot do.

use std::fmt;

/// A runner cannot do what was asked of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{runner} cannot {what}: {instead}")]
pub struct Unsupported {
    /// The runner's name.
    pub runner: &'static str,
    /// What it cannot do.
    pub what: What,
    /// Why, or what to do instead.
    pub instead: &'static str,
}

/// Something that is asked of a runner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// To run some tests only.
    Select,
    /// To run tests in a given order.
    Listed,
    /// To shuffle tests by a seed.
    Shuffled,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Select => "run some tests only",
            Self::Listed => "run tests in a given order",
            Self::Shuffled => "shuffle tests by a seed",
        })
    }
}
