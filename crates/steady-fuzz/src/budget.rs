//! How much a run may still spend.

use std::cell::Cell;
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// The share of the budget the search gets at least; the rest is for re-checking what it found.
const SEARCH_SHARE: f64 = 0.65;
/// The share it gets where re-checking will be quick.
const MOST_SEARCH_SHARE: f64 = 0.95;
/// Requests it takes to re-check one test, roughly: its calls, run again, shortened and proven.
const REQUESTS_PER_TEST: f64 = 60.0;
/// The share that re-checking gets in any case, be the time over: a suite that was not checked is worth nothing.
const LEAST_RECHECK_SHARE: f64 = 0.2;
/// How many requests more than asked for re-checking may send, as a share of them.
const GRACE: f64 = 0.2;

/// Time, requests, and the user's patience.
#[derive(Debug)]
pub struct Budget {
    started: Instant,
    time: Option<Duration>,
    requests: Option<u64>,
    spent: Cell<u64>,
    stop: watch::Receiver<bool>,
}

impl Budget {
    /// A budget that starts to run now.
    pub fn new(time: Option<Duration>, requests: Option<u64>, stop: watch::Receiver<bool>) -> Self {
        Self { started: Instant::now(), time, requests, spent: Cell::new(0), stop }
    }

    /// Counts a request.
    pub fn spend(&self) {
        self.spent.set(self.spent.get() + 1);
    }

    /// Requests sent.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the search has had its share; the more `tests` it found and the slower the API, the smaller the share.
    pub fn search_is_over(&self, tests: usize) -> bool {
        let sent = self.spent.get().max(1) as f64;
        let needed = tests as f64 * REQUESTS_PER_TEST;
        let share_left = match (self.time, self.requests) {
            (Some(time), _) => {
                needed * self.started.elapsed().as_secs_f64() / sent / time.as_secs_f64().max(1e-9)
            }
            (None, Some(requests)) => needed / requests as f64,
            (None, None) => 0.0,
        };
        self.interrupted() || self.beyond((1.0 - share_left).clamp(SEARCH_SHARE, MOST_SEARCH_SHARE))
    }

    /// Whether all of it was spent.
    pub fn is_spent(&self) -> bool {
        self.beyond(1.0)
    }

    /// Re-checking starts now; `waits` is how long the phases after it wait for nothing but the clock.
    pub fn recheck(&self, waits: Duration) -> Recheck<'_> {
        Recheck { budget: self, started: self.started.elapsed(), spent: self.spent.get(), waits }
    }

    /// Whether the user asked for the end.
    pub fn interrupted(&self) -> bool {
        *self.stop.borrow()
    }

    /// Waits for the user to ask for the end.
    pub async fn interruption(&self) {
        let mut stop = self.stop.clone();
        if stop.wait_for(|stop| *stop).await.is_err() {
            // Nobody is left who could ask.
            std::future::pending::<()>().await;
        }
    }

    fn beyond(&self, share: f64) -> bool {
        self.time.is_some_and(|time| self.started.elapsed() >= time.mul_f64(share)) || self.has_sent(share)
    }

    fn has_sent(&self, share: f64) -> bool {
        self.requests.is_some_and(|requests| self.spent.get() as f64 >= requests as f64 * share)
    }
}

/// What re-checking may spend. It plays one call after the other, and so at a pace of its own.
#[derive(Debug)]
pub struct Recheck<'a> {
    budget: &'a Budget,
    started: Duration,
    spent: u64,
    waits: Duration,
}

impl Recheck<'_> {
    /// Whether it must end, for `calls` that are still to be played fill the time.
    pub fn is_over(&self, calls: usize) -> bool {
        let elapsed = self.budget.started.elapsed();
        let spent = self.budget.spent.get().saturating_sub(self.spent);
        let is_late = |time: Duration| {
            let end = deadline(time, self.started, self.waits);
            elapsed + afterwards(elapsed.saturating_sub(self.started), spent, calls) >= end
        };
        self.budget.interrupted()
            || self.budget.time.is_some_and(is_late)
            || self.budget.has_sent(1.0 + GRACE)
    }
}

/// When the last call must have been played for the run to end in time, re-checking having `started` when it did.
fn deadline(time: Duration, started: Duration, waits: Duration) -> Duration {
    time.saturating_sub(waits).max(started + time.mul_f64(LEAST_RECHECK_SHARE))
}

/// What `calls` more take where `spent` of them took `elapsed`.
fn afterwards(elapsed: Duration, spent: u64, calls: usize) -> Duration {
    elapsed.mul_f64(calls as f64 / spent.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn a_run_ends_in_time_and_one_too_short_for_its_waits_still_checks_what_it_found() {
        assert_eq!(deadline(seconds(60), seconds(40), seconds(5)), seconds(55));
        assert_eq!(deadline(seconds(10), seconds(7), seconds(5)), seconds(9));
    }

    #[test]
    fn what_is_still_to_be_played_is_time_already_spent() {
        assert_eq!(afterwards(seconds(10), 100, 50), seconds(5));
        assert_eq!(afterwards(seconds(10), 0, 0), seconds(0));
    }
}
