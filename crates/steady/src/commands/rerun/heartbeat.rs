//! A line every few seconds where no progress bar can be drawn, as a sign of life.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::ui::eprint_line;

/// How far the runs are.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// The runs that ended.
    pub runs: u64,
    /// The most runs there may be.
    pub at_most: u64,
    /// What they found so far.
    pub found: String,
}

/// Prints how far the runs are, from a thread of its own; it ends when this is dropped.
#[derive(Debug)]
pub struct Heartbeat {
    progress: Arc<Mutex<Progress>>,
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Heartbeat {
    /// A line after each of these intervals.
    pub fn every(interval: Duration, at_most: u64) -> Self {
        let progress = Arc::new(Mutex::new(Progress { at_most, ..Progress::default() }));
        let (stop, stopped) = mpsc::channel();
        let seen = Arc::clone(&progress);
        let thread = thread::spawn(move || {
            let started = Instant::now();
            while stopped.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                let progress = seen.lock().unwrap_or_else(PoisonError::into_inner).clone();
                eprint_line(&line(&progress, started.elapsed()));
            }
        });
        Self { progress, stop: Some(stop), thread: Some(thread) }
    }

    /// Takes in how far the runs are now.
    pub fn update(&self, progress: Progress) {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = progress;
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
fn line(progress: &Progress, elapsed: Duration) -> String {
    let Progress { runs, at_most, found } = progress;
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
        let begun = Progress { at_most: 100, ..Progress::default() };
        assert_eq!(
            line(&begun, Duration::from_secs(20)),
            "rerunning: the first of at most 100 runs, 20 s so far"
        );
        let progress = Progress { runs: 12, at_most: 100, found: "3 tests".to_owned() };
        assert_eq!(
            line(&progress, Duration::from_secs(36)),
            "rerunning: 12 of at most 100 runs after 36 s, at most 5 min left; 3 tests"
        );
    }
}
