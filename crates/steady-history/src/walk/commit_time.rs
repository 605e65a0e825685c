//! The position of a commit in a walk.

use std::cmp::Reverse;

use crate::git::log::Logged;

/// The position of a commit in a walk from new to old: a greater one was visited later and is older. git visits commits by time, so
/// positions are comparable across walks; within one second, the number of visited commits decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CommitTime {
    time: Reverse<i64>,
    /// The number of commits visited by then, this one included.
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
