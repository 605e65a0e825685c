//! How much a run may still spend.

use std::cell::Cell;
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// The share of the budget the search gets at least; the rest is for re-checking what it found.
const SEARCH_SHARE: f64 = 0.7;
/// The share it gets where re-checking will be quick.
const MOST_SEARCH_SHARE: f64 = 0.95;
/// Requests it takes to re-check one test, roughly: its calls, run again, shortened and proven.
const REQUESTS_PER_TEST: f64 = 60.0;
/// How far re-checking may overrun, as a share of the time: a suite that was not checked is worth nothing.
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

    /// Whether nothing optional should be started any more: shortening, second tries.
    pub fn is_tight(&self) -> bool {
        self.interrupted() || self.beyond(1.0)
    }

    /// Whether even re-checking must end.
    pub fn is_over(&self) -> bool {
        self.beyond(1.0 + GRACE)
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
        let time = self.time.is_some_and(|time| self.started.elapsed() >= time.mul_f64(share));
        let requests =
            self.requests.is_some_and(|requests| self.spent.get() as f64 >= requests as f64 * share);
        time || requests
    }
}
