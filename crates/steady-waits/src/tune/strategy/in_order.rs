//! Static: the candidates in their order, until one holds.

use super::{Candidates, Course, Goal, Next};
use crate::tune::{Evidence, Settings};

/// Every candidate is run until it fails or passed as often as was asked.
#[derive(Debug)]
pub(super) struct InOrder {
    runs: u64,
    candidates: Candidates,
    low: u64,
    held: Option<u64>,
}

impl InOrder {
    pub fn new(settings: &Settings, candidates: Candidates, low: u64) -> Self {
        Self { runs: settings.runs, candidates, low, held: None }
    }
}

impl Course for InOrder {
    fn next(&mut self, evidence: &Evidence) -> Next {
        match self.held {
            Some(ms) => Next::Settled(ms),
            None => self.candidates.next(self.low, evidence, self.runs),
        }
    }

    fn reached(&mut self, goal: Goal, _: &Evidence) {
        self.held = Some(goal.ms);
    }

    fn missed(&mut self, _: Goal, _: &Evidence) {
        self.candidates.advance();
    }
}
