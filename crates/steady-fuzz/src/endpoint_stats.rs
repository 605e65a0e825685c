//! What a search remembers of each endpoint: how often it was called, and what worked.

use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use xxhash_rust::xxh3::xxh3_64;

use crate::plan::PlannedCall;
use crate::random::Random;
use crate::values::Alteration;

/// Successful calls kept per endpoint.
const SUCCESSES: usize = 8;
/// How often a later success takes the place of one of them: rarely, since what is reused should stay what it was for a while.
const REPLACED: f64 = 0.02;

/// The weight of an endpoint in the choice of the next one before its first success, as against one that has succeeded.
const UNSUCCESSFUL: f64 = 4.0;
/// The weight that an endpoint keeps however long it has shown nothing new.
const LEAST_INTEREST: f64 = 0.05;
/// Calls without anything new that halve the weight of an endpoint.
const HALVED_AFTER: f64 = 25.0;

/// Answers of an endpoint that values are learnt from in any case.
const FIRST_LESSONS: u64 = 100;
/// Of how many answers after those one is learnt from.
const LATER_LESSONS: u64 = 8;

/// One endpoint's past.
#[derive(Debug, Default)]
pub struct EndpointStats {
    /// Calls made.
    pub attempts: u64,
    /// Calls answered with a 2xx.
    pub successes: u64,
    /// Calls since something new was seen.
    pub stale: u64,
    /// Statuses seen.
    pub statuses: IndexSet<u16>,
    refused: u32,
    received: u32,
    lessons: u64,
    worked: Vec<Rc<PlannedCall>>,
    alterations: IndexMap<u64, u32>,
}

impl EndpointStats {
    /// Remembers that one value was altered.
    pub fn altered(&mut self, parameter: Option<usize>, alteration: &Alteration) {
        *self.alterations.entry(alteration_key(parameter, alteration)).or_default() += 1;
    }

    /// How often a value was altered this way.
    pub fn times_altered(&self, parameter: Option<usize>, alteration: &Alteration) -> u32 {
        self.alterations.get(&alteration_key(parameter, alteration)).copied().unwrap_or(0)
    }

    /// Remembers how a call with nothing wrong was received, before any of them worked.
    pub fn received(&mut self, status: u16) {
        self.received += 1;
        self.refused += u32::from(matches!(status, 400 | 422));
    }

    /// Whether at least so many calls with nothing wrong were made, and all were refused with 400 or 422.
    pub fn refuses_everything(&self, calls: u32) -> bool {
        let worked = self.statuses.iter().any(|status| (200..300).contains(status));
        self.refused >= calls && self.refused == self.received && !worked
    }

    /// Remembers a call that worked; later ones replace random earlier ones.
    pub fn succeeded(&mut self, call: &PlannedCall, random: &mut Random) {
        self.successes += 1;
        if self.worked.len() < SUCCESSES {
            self.worked.push(Rc::new(call.clone()));
        } else if random.chance(REPLACED) {
            let index = random.index(SUCCESSES);
            self.worked[index] = Rc::new(call.clone());
        }
    }

    /// Whether values are to be learnt from the answer at hand: from all at first, from some later, when most of what answers
    /// say is known.
    pub fn learns(&mut self) -> bool {
        self.lessons += 1;
        self.lessons <= FIRST_LESSONS || self.lessons.is_multiple_of(LATER_LESSONS)
    }

    /// A call that worked before.
    pub fn recall(&self, random: &mut Random) -> Option<Rc<PlannedCall>> {
        random.pick(&self.worked).cloned()
    }

    /// How much this endpoint deserves another call.
    pub fn interest(&self) -> f64 {
        let base = if self.successes == 0 { UNSUCCESSFUL } else { 1.0 };
        LEAST_INTEREST + base / (1.0 + self.stale as f64 / HALVED_AFTER)
    }
}

fn alteration_key(parameter: Option<usize>, Alteration { pointer, what }: &Alteration) -> u64 {
    xxh3_64(format!("{parameter:?} {pointer} {what}").as_bytes())
}
