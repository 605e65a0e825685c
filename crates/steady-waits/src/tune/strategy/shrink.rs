//! Shrink: a shorter value for a wait that holds.

use super::to_the_end::ToTheEnd;
use super::{Candidates, Course, FIRST_LOOK, Goal, Next};
use crate::tune::{Evidence, Settings, Why};

/// Bisection between nothing and the wait as it is; the wait as it is needs no confirmation.
#[derive(Debug)]
pub(super) struct Shrink {
    current: u64,
    search: ToTheEnd,
    /// Whether it is known if no wait at all would do.
    without: bool,
}

impl Shrink {
    pub fn new(settings: &Settings, current: u64) -> Self {
        let mut search = ToTheEnd::new(settings, Candidates::new(&[]), 0);
        let current_goal = Goal { ms: current, passes: FIRST_LOOK, why: Why::Candidate { rank: 1 } };
        search.reached(current_goal, &Evidence::default());
        Self { current, search, without: current == 0 }
    }
}

impl Course for Shrink {
    fn next(&mut self, evidence: &Evidence) -> Next {
        match self.search.next(evidence) {
            Next::Try(Goal { why: Why::Confirm, ms, .. }) => {
                let without = Goal { ms: 0, passes: FIRST_LOOK, why: Why::Between { low: 0, high: ms } };
                let without = (!self.without && self.search.range.low() == 0).then_some(without);
                match self.search.look_at(without, evidence) {
                    Some(goal) => Next::Try(goal),
                    None if ms == self.current => Next::Settled(ms),
                    None => self.search.next(evidence),
                }
            }
            // Not even the wait as it is held.
            Next::Nothing => Next::Settled(self.current),
            next => next,
        }
    }

    fn reached(&mut self, goal: Goal, evidence: &Evidence) {
        self.without |= goal.ms == 0;
        self.search.reached(goal, evidence);
    }

    fn missed(&mut self, goal: Goal, evidence: &Evidence) {
        self.without |= goal.ms == 0;
        self.search.missed(goal, evidence);
    }
}
