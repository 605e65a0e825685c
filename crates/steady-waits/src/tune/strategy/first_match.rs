//! First match: one shorter value than the candidate that seems to hold.

use super::range::Range;
use super::{Candidates, Course, FIRST_LOOK, Goal, Next};
use crate::tune::{Evidence, Settings, Why};

/// A candidate is only looked at; what is proposed in its place, or it itself, is run as often as was asked.
#[derive(Debug)]
pub(super) struct FirstMatch {
    runs: u64,
    threshold: u64,
    tries: u64,
    candidates: Candidates,
    range: Range,
    held: Option<u64>,
}

impl FirstMatch {
    pub fn new(settings: &Settings, candidates: Candidates, low: u64) -> Self {
        Self {
            runs: settings.runs,
            threshold: settings.threshold,
            tries: settings.tries,
            candidates,
            range: Range::above(low),
            held: None,
        }
    }
}

impl Course for FirstMatch {
    fn next(&mut self, evidence: &Evidence) -> Next {
        if let Some(ms) = self.held {
            return Next::Settled(ms);
        }
        let Some(high) = self.range.high() else {
            return self.candidates.next(self.range.low(), evidence, FIRST_LOOK);
        };
        let middle = self.range.middle(self.threshold, self.runs).filter(|_| self.tries > 0);
        Next::Try(middle.unwrap_or(Goal { ms: high, passes: self.runs, why: Why::Confirm }))
    }

    fn reached(&mut self, goal: Goal, _: &Evidence) {
        match goal.why {
            Why::Candidate { .. } | Why::Longer => {
                self.candidates.advance();
                self.range.lower_to(goal.ms);
            }
            _ => self.held = Some(goal.ms),
        }
    }

    fn missed(&mut self, goal: Goal, _: &Evidence) {
        self.range.raise_above(goal.ms);
        match goal.why {
            Why::Candidate { .. } | Why::Longer => self.candidates.advance(),
            _ => self.tries = self.tries.saturating_sub(1),
        }
    }
}
