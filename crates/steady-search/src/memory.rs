//! What a search remembers of each endpoint: how often it was called, and what worked.

use std::rc::Rc;

use indexmap::IndexSet;

use crate::plan::PlannedCall;
use crate::random::Random;

/// Successful calls kept per endpoint.
const SUCCESSES: usize = 8;

/// One endpoint's past.
#[derive(Debug, Default)]
pub struct Track {
    /// Calls made.
    pub attempts: u64,
    /// Calls answered with a 2xx.
    pub successes: u64,
    /// Calls since something new was seen.
    pub stale: u64,
    /// Statuses seen.
    pub statuses: IndexSet<u16>,
    worked: Vec<Rc<PlannedCall>>,
}

impl Track {
    /// Remembers a call that worked; later ones replace random earlier ones.
    pub fn succeeded(&mut self, call: &PlannedCall, random: &mut Random) {
        self.successes += 1;
        if self.worked.len() < SUCCESSES {
            self.worked.push(Rc::new(call.clone()));
        } else if random.chance(0.02) {
            let index = random.index(SUCCESSES);
            self.worked[index] = Rc::new(call.clone());
        }
    }

    /// A call that worked before.
    pub fn recall(&self, random: &mut Random) -> Option<Rc<PlannedCall>> {
        random.pick(&self.worked).cloned()
    }

    /// How much this endpoint deserves another call.
    pub fn interest(&self) -> f64 {
        let base = if self.successes == 0 { 4.0 } else { 1.0 };
        0.05 + base / (1.0 + self.stale as f64 / 25.0)
    }
}
