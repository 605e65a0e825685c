//! Dynamic and FaTB: bisection down to the threshold, then one confirmation.

use super::range::Range;
use super::{Candidates, Course, FIRST_LOOK, Goal, Next};
use crate::tune::{Evidence, Settings, Why};

/// Values on the way are only looked at; the last one is run as often as was asked.
///
/// When the last one fails, the search goes back to the value before and looks closer: a value that failed after `n` passes fails
/// about once in `n + 1` runs, so that `2n` passes are asked of its neighbours. When that would take more than it may, the shortest
/// value that never failed is confirmed, then the next longer one, and when all is spent, every other one.
#[derive(Debug)]
pub(super) struct ToTheEnd {
    settings: Settings,
    candidates: Candidates,
    pub range: Range,
    /// The passes that are asked of a value on the way.
    look: u64,
    /// What it may take; known with the first candidate that seems to hold.
    budget: Option<u64>,
    tried: u64,
    held: Option<u64>,
}

impl ToTheEnd {
    pub fn new(settings: &Settings, candidates: Candidates, low: u64) -> Self {
        Self {
            settings: settings.clone(),
            candidates,
            range: Range::above(low),
            look: FIRST_LOOK.min(settings.runs),
            budget: None,
            tried: 0,
            held: None,
        }
    }

    /// Whether bisection can come to its end with what it may take.
    fn may_search(&self, evidence: &Evidence) -> bool {
        let ahead = self.range.halvings(self.settings.threshold) * self.look;
        let spent = evidence.searched() + ahead;
        self.tried < self.settings.tries && self.budget.is_none_or(|budget| spent <= budget)
    }

    /// A look at a value, while the search may go on.
    pub fn look_at(&self, goal: Option<Goal>, evidence: &Evidence) -> Option<Goal> {
        goal.filter(|_| self.may_search(evidence)).map(|goal| Goal { passes: self.look, ..goal })
    }
}

impl Course for ToTheEnd {
    fn next(&mut self, evidence: &Evidence) -> Next {
        if let Some(ms) = self.held {
            return Next::Settled(ms);
        }
        let Some(high) = self.range.high() else {
            return self.candidates.next(self.range.low(), evidence, self.look);
        };
        let middle = self.range.middle(self.settings.threshold, self.look);
        let confirm = Goal { ms: high, passes: self.settings.runs, why: Why::Confirm };
        Next::Try(self.look_at(middle, evidence).unwrap_or(confirm))
    }

    fn reached(&mut self, goal: Goal, _: &Evidence) {
        match goal.why {
            Why::Confirm => self.held = Some(goal.ms),
            Why::Candidate { .. } | Why::Longer => {
                self.candidates.advance();
                self.range.lower_to(goal.ms);
                let tries = self.candidates.taken() as u64 + self.range.halvings(self.settings.threshold);
                self.budget.get_or_insert(self.settings.budget(tries));
            }
            Why::Between { .. } | Why::Baseline => {
                self.tried += 1;
                self.range.lower_to(goal.ms);
            }
        }
    }

    fn missed(&mut self, goal: Goal, evidence: &Evidence) {
        self.range.raise_above(goal.ms);
        match goal.why {
            Why::Candidate { .. } | Why::Longer => self.candidates.advance(),
            Why::Confirm => {
                let closer = (2 * self.look).max(2 * evidence.counts(goal.ms).passed);
                self.look = closer.min(self.settings.runs);
                if self.budget.is_some_and(|budget| evidence.searched() > budget) {
                    self.range.skip_one();
                }
            }
            Why::Between { .. } | Why::Baseline => self.tried += 1,
        }
    }
}
