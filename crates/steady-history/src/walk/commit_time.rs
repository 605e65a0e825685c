//! Where on the way back a commit was met.

use std::cmp::Reverse;

use crate::git::log::Logged;

/// Where on the way back a commit was met; what is greater came later on the way, and is older. Git goes by the time of the commits, so
/// that this holds across walks too; among those of one second, how many were looked at decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CommitTime {
    time: Reverse<i64>,
    /// How many commits were looked at by then, this one included.
    pub(crate) number: usize,
}

impl CommitTime {
    /// Before every commit.
    pub(crate) const FIRST: Self = Self { time: Reverse(i64::MAX), number: 0 };
    /// After every commit.
    pub(crate) const LAST: Self = Self { time: Reverse(i64::MIN), number: usize::MAX };

    pub(crate) fn of(commit: &Logged, number: usize) -> Self {
        Self { time: Reverse(commit.time), number }
    }

    /// When the commit was made, in seconds since 1970.
    pub(crate) fn seconds(&self) -> i64 {
        self.time.0
    }
}
