//! The candidates that are left.

use super::{Goal, Next, Why};
use crate::tune::Evidence;

/// Values in the order they are to be tried.
#[derive(Debug, Clone)]
pub(super) struct Candidates {
    values: Vec<u64>,
    /// How many were taken.
    taken: usize,
}

impl Candidates {
    pub fn new(values: &[u64]) -> Self {
        Self { values: values.to_vec(), taken: 0 }
    }

    /// The first one that is longer than what is known to fail: a shorter one cannot hold.
    pub fn next(&mut self, low: u64, evidence: &Evidence, passes: u64) -> Next {
        let failed = Some(low).filter(|low| *low > 0).max(evidence.longest_failed());
        while let Some(&ms) = self.values.get(self.taken) {
            if failed.is_none_or(|failed| ms > failed) {
                return Next::Try(Goal { ms, passes, why: Why::Candidate { rank: self.taken + 1 } });
            }
            self.taken += 1;
        }
        Next::Nothing
    }

    /// Goes on to the next.
    pub fn advance(&mut self) {
        self.taken += 1;
    }

    /// How many were looked at or passed over.
    pub fn taken(&self) -> usize {
        self.taken
    }
}
