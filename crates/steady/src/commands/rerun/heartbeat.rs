//! A line every few seconds where no progress bar can be drawn, so that nobody wonders whether anything happens.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::ui::talk;

/// How far the runs are.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    /// The runs that ended.
    pub runs: u64,
    /// The most runs there may be.
    pub at_most: u64,
    /// What they found so far.
    pub found: String,
}

/// Prints where the runs stand, from a thread of its own; it ends when this is dropped.
#[derive(Debug)]
pub struct Heartbeat {
    standing: Arc<Mutex<Standing>>,
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Heartbeat {
    /// A line after each of these intervals.
    pub fn every(interval: Duration, at_most: u64) -> Self {
        let standing = Arc::new(Mutex::new(Standing { at_most, ..Standing::default() }));
        let (stop, stopped) = mpsc::channel();
        let seen = Arc::clone(&standing);
        let thread = thread::spawn(move || {
            let started = Instant::now();
            while stopped.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                let standing = seen.lock().unwrap_or_else(PoisonError::into_inner).clone();
                talk(&line(&standing, started.elapsed()));
            }
        });
        Self { standing, stop: Some(stop), thread: Some(thread) }
    }

    /// Takes in how far the runs are now.
    pub fn update(&self, standing: Standing) {
        *self.standing.lock().unwrap_or_else(PoisonError::into_inner) = standing;
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It only prints: it cannot panic, and ends at once.
            let _ = thread.join();
        }
    }
}

/// `rerunning: 12 of at most 100 runs after 36 s, at most 4 min left; 172 tests, 1 flaky, 0 failing`
fn line(standing: &Standing, elapsed: Duration) -> String {
    let Standing { runs, at_most, found } = standing;
    let after = span(elapsed);
    if *runs == 0 {
        return format!("rerunning: the first of at most {at_most} runs, {after} so far");
    }
    let each = elapsed.as_secs_f64() / *runs as f64;
    let left = Duration::from_secs_f64(each * at_most.saturating_sub(*runs) as f64);
    format!("rerunning: {runs} of at most {at_most} runs after {after}, at most {} left; {found}", span(left))
}

fn span(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_and_how_long() {
        let begun = Standing { at_most: 100, ..Standing::default() };
        assert_eq!(
            line(&begun, Duration::from_secs(20)),
            "rerunning: the first of at most 100 runs, 20 s so far"
        );
        let standing = Standing { runs: 12, at_most: 100, found: "3 tests".to_owned() };
        assert_eq!(
            line(&standing, Duration::from_secs(36)),
            "rerunning: 12 of at most 100 runs after 36 s, at most 5 min left; 3 tests"
        );
    }
}
