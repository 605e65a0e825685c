//! The values between one that is too short and one that seems to hold.

use super::{Goal, Why};

/// The range that is searched. Going down it remembers the way, to go back when a value turns out not to hold.
#[derive(Debug, Clone)]
pub(super) struct Range {
    low: u64,
    /// Values that seemed to hold, each shorter than the one before.
    promising: Vec<u64>,
}

impl Range {
    /// Nothing seems to hold yet.
    pub fn above(low: u64) -> Self {
        Self { low, promising: Vec::new() }
    }

    pub fn low(&self) -> u64 {
        self.low
    }

    /// The shortest value that seems to hold.
    pub fn high(&self) -> Option<u64> {
        self.promising.last().copied()
    }

    /// The value in the middle, unless the range is as narrow as was asked for.
    pub fn middle(&self, threshold: u64, passes: u64) -> Option<Goal> {
        let (low, high) = (self.low, self.high()?);
        let width = high.saturating_sub(low);
        let why = Why::Between { low, high };
        (width >= threshold.max(2)).then_some(Goal { ms: low + width / 2, passes, why })
    }

    /// How many halvings lead to the threshold.
    pub fn halvings(&self, threshold: u64) -> u64 {
        let width = self.high().map_or(0, |high| high.saturating_sub(self.low));
        let mut halvings = 0;
        while width >> halvings >= threshold.max(2) {
            halvings += 1;
        }
        halvings
    }

    /// A value seems to hold.
    pub fn lower_to(&mut self, ms: u64) {
        self.promising.push(ms);
    }

    /// A value failed: neither it nor a shorter one holds.
    pub fn raise_above(&mut self, ms: u64) {
        self.low = self.low.max(ms);
        self.promising.retain(|promising| *promising > ms);
    }

    /// Goes back over a value that seemed to hold, unless it is the only one.
    pub fn skip_one(&mut self) {
        if self.promising.len() > 1 {
            self.promising.pop();
        }
    }
}
