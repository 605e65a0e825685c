//! What a mock server knows: its stubs, the states of its scenarios, and the requests it received.

mod entry;
mod journal;
mod scenarios;
mod stubs;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rand::SeedableRng as _;

pub use entry::Entry;
pub use journal::{Journal, JournalLimits};
pub use scenarios::{ScenarioState, Scenarios, UnknownScenario};
pub use stubs::Stubs;

use crate::answer::Random;
use crate::mapping::RequestPattern;
use crate::matching::{Received, matches};
use crate::stub::Stub;

/// Everything the services of one run share.
#[derive(Debug)]
pub struct State {
    /// The stubs.
    pub stubs: Stubs,
    /// The states of scenarios.
    pub scenarios: Scenarios,
    /// The requests received.
    pub journal: Journal,
    random: Mutex<Random>,
    /// Milliseconds every answer without a delay of its own waits; `u64::MAX` for none.
    fixed_delay: AtomicU64,
    foreign: Mutex<BTreeSet<(String, u16)>>,
}

const NO_DELAY: u64 = u64::MAX;

impl State {
    /// No stubs and no requests; the seed decides everything that is drawn at random.
    pub fn new(seed: u64, limits: JournalLimits) -> Self {
        Self {
            stubs: Stubs::default(),
            scenarios: Scenarios::default(),
            journal: Journal::new(limits),
            random: Mutex::new(Random::seed_from_u64(seed)),
            fixed_delay: AtomicU64::new(NO_DELAY),
            foreign: Mutex::default(),
        }
    }

    /// The stub that answers a request; its scenario moves on.
    pub fn answering(&self, received: &Received) -> Option<Arc<Stub>> {
        let index = self.stubs.index();
        index.find(received, |stub| self.scenarios.enter(&stub.mapping)).cloned()
    }

    /// The requests received that are what the pattern asks for.
    pub fn requests(&self, pattern: &RequestPattern) -> Vec<Arc<Entry>> {
        let mut entries = self.journal.entries();
        entries.retain(|entry| entry.received().is_some_and(|received| matches(pattern, &received)));
        entries
    }

    /// Forgets requests and states, and every stub that was not given at the start.
    pub fn reset(&self) {
        self.stubs.reset();
        self.scenarios.reset();
        self.journal.clear();
        self.set_fixed_delay(None);
    }

    /// Milliseconds that answers without a delay of their own wait.
    pub fn fixed_delay(&self) -> Option<u64> {
        Some(self.fixed_delay.load(Ordering::Relaxed)).filter(|delay| *delay != NO_DELAY)
    }

    /// Sets how long answers without a delay of their own wait.
    pub fn set_fixed_delay(&self, milliseconds: Option<u64>) {
        self.fixed_delay.store(milliseconds.unwrap_or(NO_DELAY), Ordering::Relaxed);
    }

    /// Services that were spoken to in neither HTTP nor TLS.
    pub fn foreign(&self) -> Vec<(String, u16)> {
        lock(&self.foreign).iter().cloned().collect()
    }

    pub(crate) fn note_foreign(&self, host: &str, port: u16) {
        lock(&self.foreign).insert((host.to_owned(), port));
    }

    /// A source of randomness for one answer.
    pub(crate) fn random(&self) -> Random {
        Random::from_rng(&mut *lock(&self.random))
    }
}

/// Nothing that is locked here is left half-changed by a panic.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
