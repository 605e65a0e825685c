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
/// And at most: who gives an hour wants an end after it.
const LONGEST_GRACE: Duration = Duration::from_secs(60);
/// Requests that a re-checked test still takes: run again in other orders, proven, run again for what is flaky.
const REQUESTS_AFTERWARDS: f64 = 20.0;

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

    /// Whether even re-checking must end, for what the `tests` kept so far will still take fills the time.
    pub fn is_over(&self, tests: usize) -> bool {
        let elapsed = self.started.elapsed();
        let is_late = self.time.is_some_and(|time| is_late(time, elapsed, self.spent.get(), tests));
        is_late || self.has_sent(1.0 + GRACE)
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

/// Whether the time and its grace are over when the tests kept so far have had what they still take, at the pace until now.
fn is_late(time: Duration, elapsed: Duration, spent: u64, tests: usize) -> bool {
    let pace = elapsed.as_secs_f64() / spent.max(1) as f64;
    let afterwards = tests as f64 * REQUESTS_AFTERWARDS * pace;
    let grace = time.mul_f64(GRACE).min(LONGEST_GRACE);
    elapsed.as_secs_f64() + afterwards >= (time + grace).as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kept_tests_still_take_is_time_already_spent() {
        let (hour, half) = (Duration::from_secs(3600), Duration::from_secs(1800));
        assert!(!is_late(hour, half, 18_000, 0));
        assert!(!is_late(hour, half, 18_000, 900));
        assert!(is_late(hour, half, 18_000, 1_000));
    }

    #[test]
    fn a_long_run_overruns_by_a_minute_and_a_short_one_by_a_fifth() {
        let is_over = |time, elapsed| is_late(Duration::from_secs(time), Duration::from_secs(elapsed), 1, 0);
        assert!(!is_over(3600, 3659) && is_over(3600, 3660));
        assert!(!is_over(60, 71) && is_over(60, 72));
    }
}
