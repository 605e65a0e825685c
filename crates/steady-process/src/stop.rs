//! The wish to come to an end, heard by everyone who waits.

use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::live::kill_everything;

/// A flag that is set once and wakes every wait at once. Clones share it.
#[derive(Debug, Clone)]
pub struct Stop {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    /// Readable from the moment the writer is closed, for any number of waits.
    reader: PipeReader,
    writer: Mutex<Option<PipeWriter>>,
    /// How many have nothing to bring to an end.
    at_ease: AtomicUsize,
}

/// While it lives, a signal ends this process at once: nothing is running, and nothing is half done.
#[derive(Debug)]
pub struct AtEase {
    shared: Arc<Shared>,
}

impl Drop for AtEase {
    fn drop(&mut self) {
        self.shared.at_ease.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Stop {
    /// A flag that is not set.
    pub fn new() -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        let (writer, at_ease) = (Mutex::new(Some(writer)), AtomicUsize::new(0));
        Ok(Self { shared: Arc::new(Shared { reader, writer, at_ease }) })
    }

    /// A flag that Ctrl-C, SIGTERM and SIGHUP set. A second signal kills all running commands and exits at once, with 128 and its
    /// number. A SIGHUP that this process was started to ignore (`nohup`) stays ignored. Ctrl-C is heard in any case: scripts start
    /// what runs beside them with SIGINT ignored, and would leave it behind.
    pub fn on_signals() -> io::Result<Self> {
        let stop = Self::new()?;
        let wanted =
            [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| *signal != SIGHUP || !is_ignored(SIGHUP));
        let mut signals = Signals::new(wanted)?;
        let stopped = stop.clone();
        thread::Builder::new().name("steady-signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                if stopped.shared.at_ease.load(Ordering::SeqCst) > 0 || !stopped.request() {
                    kill_everything();
                    std::process::exit(128 + signal);
                }
            }
        })?;
        Ok(stop)
    }

    /// Says that for now there is nothing to bring to an end: who only thinks may not look at the flag for long.
    pub fn at_ease(&self) -> AtEase {
        self.shared.at_ease.fetch_add(1, Ordering::SeqCst);
        AtEase { shared: Arc::clone(&self.shared) }
    }

    /// Sets the flag. `false` when it was set before.
    pub fn request(&self) -> bool {
        self.shared.writer.lock().unwrap_or_else(PoisonError::into_inner).take().is_some()
    }

    /// Whether the flag is set.
    pub fn is_requested(&self) -> bool {
        self.shared.writer.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }
}

/// Becomes readable when the flag is set, and stays so; for those who wait for more than a command.
impl AsFd for Stop {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.shared.reader.as_fd()
    }
}

/// Whether this process ignores a signal; where nobody tells, it does not.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & (1 << (signal - 1)) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poll::wait_readable;

    #[test]
    fn all_clones_hear_the_first_request() {
        let stop = Stop::new().unwrap();
        let clone = stop.clone();
        assert!(!clone.is_requested());
        assert!(stop.request());
        assert!(!clone.request());
        assert!(clone.is_requested());
        for _ in 0..2 {
            assert_eq!(wait_readable(&[clone.as_fd()], None), [true]);
        }
    }
}
