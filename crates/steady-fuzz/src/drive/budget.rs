//! How much a run may still spend.

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use steady_flaky::drive::Limit;
use steady_process::Cancel;
use tokio::time::sleep;

/// The share of the time the search gets at least; the rest is for re-checking what it found.
const LEAST_SEARCH_SHARE: f64 = 0.5;
/// The share it gets where re-checking will be quick.
const MOST_SEARCH_SHARE: f64 = 0.95;
/// The share of the requests the search gets at least, where requests are what is limited.
const LEAST_REQUESTS_SHARE: f64 = 0.65;
/// Requests it takes to re-check one test that the search counts: run alone, shortened, run once among the others, proven.
///
/// Measured on the demo shop (seed 11, 1,000 to 30,000 requests): 5.8 to 7.3, of which 60 % go into running alone and shortening,
/// 25 % into running among the others and 15 % into the proof. Rounded up, because a test that is not checked in time is lost.
const REQUESTS_PER_TEST: f64 = 8.0;
/// How many requests more than asked for re-checking may send, as a share of them.
const MORE_REQUESTS: f64 = 0.2;
/// How long a request of the search may go on when its time is over.
const LAST_REQUEST: Duration = Duration::from_millis(300);
/// How often the end of the search is looked for while a request is under way.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How long what was found is still checked after the user asked for the end.
const LAST_CHECKS: Duration = Duration::from_secs(1);

/// The least time between a test's first run and its second: a clock that counts whole seconds must have moved.
pub const TICK: Duration = Duration::from_millis(1100);

/// Time, requests, and the user's patience.
#[derive(Debug)]
pub struct Budget {
    started: Instant,
    time: Option<Duration>,
    requests: Option<u64>,
    workers: NonZeroUsize,
    spent: Cell<u64>,
    cancel: Cancel,
}

impl Budget {
    /// A budget that starts to run now, for a search with so many workers.
    pub fn new(time: Option<Duration>, requests: Option<u64>, workers: NonZeroUsize, cancel: Cancel) -> Self {
        Self { started: Instant::now(), time, requests, workers, spent: Cell::new(0), cancel }
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
        let needed = tests as f64 * REQUESTS_PER_TEST;
        let elapsed = self.started.elapsed();
        let late = self.time.is_some_and(|time| {
            let recheck = recheck_seconds(needed, elapsed, self.spent.get(), self.workers);
            // Where nothing was found, nothing has to be checked.
            elapsed >= if tests == 0 { time } else { search_end(time, recheck) }
        });
        let share = self.requests.map(|requests| 1.0 - needed / requests as f64);
        let sent = |share: f64| self.has_sent(share.clamp(LEAST_REQUESTS_SHARE, MOST_SEARCH_SHARE));
        self.interrupted() || late || share.is_some_and(sent)
    }

    /// Waits until the search has had its share and its last request some time to be answered.
    pub async fn search_end(&self, tests: impl Fn() -> usize) {
        while !self.search_is_over(tests()) {
            sleep(LOOK_EVERY).await;
        }
        if !self.interrupted() {
            sleep(LAST_REQUEST).await;
        }
    }

    /// Whether all of it was spent.
    pub fn is_spent(&self) -> bool {
        self.time.is_some_and(|time| self.started.elapsed() >= time) || self.has_sent(1.0)
    }

    /// Whether time limits it.
    pub fn is_timed(&self) -> bool {
        self.time.is_some()
    }

    /// The limit of search and re-check together.
    pub fn limit(&self) -> Limit {
        Limit::new(self.cancel.clone())
            .until(self.time.map(|time| self.started + time))
            .with_grace(LAST_CHECKS)
    }

    /// How much of the time of search and re-check is left.
    pub fn left(&self) -> Duration {
        self.time.map_or(Duration::MAX, |time| time.saturating_sub(self.started.elapsed()))
    }

    /// Re-checking starts now.
    pub fn recheck(&self) -> Recheck<'_> {
        Recheck { budget: self, limit: self.limit(), started: Instant::now(), spent: self.spent.get() }
    }

    /// Whether the user asked for the end.
    pub fn interrupted(&self) -> bool {
        self.cancel.is_requested()
    }

    fn has_sent(&self, share: f64) -> bool {
        self.requests.is_some_and(|requests| self.spent.get() as f64 >= requests as f64 * share)
    }
}

/// What re-checking may spend. It plays one call after the other, and so at a pace of its own.
#[derive(Debug)]
pub struct Recheck<'a> {
    budget: &'a Budget,
    /// When it has to end.
    pub limit: Limit,
    started: Instant,
    spent: u64,
}

impl Recheck<'_> {
    /// Whether it must end, for `calls` that are still to be played fill the time.
    pub fn is_over(&self, calls: usize) -> bool {
        let spent = self.budget.spent.get().saturating_sub(self.spent);
        let afterwards = afterwards(self.started.elapsed(), spent, calls);
        self.limit.remaining().is_some_and(|left| left <= afterwards)
            || self.budget.has_sent(1.0 + MORE_REQUESTS)
    }
}

/// How many seconds so many requests of the re-check take, judged by the `spent` ones of the search.
///
/// The search sends as many requests at once as it has workers, the re-check sends one after the other.
fn recheck_seconds(requests: f64, elapsed: Duration, spent: u64, workers: NonZeroUsize) -> f64 {
    requests * elapsed.as_secs_f64() * workers.get() as f64 / spent.max(1) as f64
}

/// When the search ends that leaves time for re-checking, which takes so many seconds.
fn search_end(time: Duration, recheck: f64) -> Duration {
    let seconds = time.as_secs_f64();
    let left = seconds - TICK.as_secs_f64() - recheck;
    Duration::from_secs_f64(left.clamp(seconds * LEAST_SEARCH_SHARE, seconds * MOST_SEARCH_SHARE))
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
    fn the_search_leaves_time_for_checking_what_it_found() {
        assert_eq!(search_end(seconds(60), 10.0), Duration::from_millis(48_900));
        assert_eq!(search_end(seconds(60), 0.1), seconds(57));
        assert_eq!(search_end(seconds(60), 500.0), seconds(30));
        assert_eq!(search_end(seconds(2), 0.0), seconds(1));
    }

    #[test]
    fn the_search_leaves_requests_for_checking_what_it_found() {
        const REQUESTS: u64 = 1_000;
        for (tests, share) in [(0, MOST_SEARCH_SHARE), (10, 0.92), (1_000, LEAST_REQUESTS_SHARE)] {
            let budget = Budget::new(None, Some(REQUESTS), NonZeroUsize::MIN, Cancel::new().unwrap());
            let sent = (0..=REQUESTS).find(|_| {
                let is_over = budget.search_is_over(tests);
                budget.spend();
                is_over
            });
            assert_eq!(sent, Some((REQUESTS as f64 * share).ceil() as u64), "{tests} tests");
        }
    }

    #[test]
    fn re_checking_takes_as_long_as_the_search_took_per_request_of_one_worker() {
        let workers = |count| NonZeroUsize::new(count).unwrap();
        assert_eq!(recheck_seconds(80.0, seconds(10), 1_000, workers(1)), 0.8);
        assert_eq!(recheck_seconds(80.0, seconds(10), 1_000, workers(4)), 3.2, "one after the other");
        assert_eq!(recheck_seconds(80.0, seconds(1), 0, workers(1)), 80.0, "before the first answer");
    }

    #[test]
    fn what_is_still_to_be_played_is_time_already_spent() {
        assert_eq!(afterwards(seconds(10), 100, 50), seconds(5));
        assert_eq!(afterwards(seconds(10), 0, 0), seconds(0));
    }

    #[test]
    fn re_checking_ends_with_the_time_however_late_it_began() {
        let cancel = Cancel::new().unwrap();
        let budget = Budget::new(Some(Duration::ZERO), None, NonZeroUsize::MIN, cancel);
        assert!(budget.recheck().is_over(0));
    }

    #[test]
    fn an_interruption_leaves_a_moment_for_checking_what_was_found() {
        let cancel = Cancel::new().unwrap();
        let budget = Budget::new(Some(seconds(3600)), None, NonZeroUsize::MIN, cancel.clone());
        cancel.request();
        assert!(budget.search_is_over(0));
        let recheck = budget.recheck();
        assert!(!recheck.is_over(0));
        assert!(recheck.limit.remaining().is_some_and(|left| left <= LAST_CHECKS));
    }
}
