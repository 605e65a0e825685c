//! The candidates that are left, and what comes after them.

use super::{Goal, Next, Why};
use crate::tune::Evidence;

/// A value beyond this is no wait that anybody would keep; the candidates themselves may be longer.
const LONGEST: u64 = 30_000;

/// Values in the order they are to be tried; then the longest of them doubled, again and again.
#[derive(Debug, Clone)]
pub(super) struct Candidates {
    values: Vec<u64>,
    /// How many were taken.
    taken: usize,
    /// How often the longest may be doubled.
    longer: usize,
}

impl Candidates {
    pub fn new(values: &[u64]) -> Self {
        Self { values: values.to_vec(), taken: 0, longer: 0 }
    }

    /// Goes on with longer values when none holds.
    pub fn and_longer(self, times: usize) -> Self {
        Self { longer: times, ..self }
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
        let doubled = failed.filter(|_| self.taken < self.values.len() + self.longer);
        match doubled.map(|failed| failed.saturating_mul(2)).filter(|&ms| ms <= LONGEST) {
            Some(ms) => Next::Try(Goal { ms, passes, why: Why::Longer }),
            None => Next::Nothing,
        }
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
