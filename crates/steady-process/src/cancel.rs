//! Cancellation: one flag for threads, tasks and waits.

use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use tokio::sync::watch;

use crate::live::{kill_everything, kill_running};

/// How often to look for commands that started although none may run any more.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A flag that is set once and wakes every wait at once. Clones share it.
///
/// It can be waited for in three ways, because steady waits in three ways: [`Cancel::is_requested`] between steps,
/// [`AsFd`] beside the file descriptors of a process, and [`Cancel::requested`] in asynchronous code.
#[derive(Debug, Clone)]
pub struct Cancel {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    /// Readable from the moment the writer is closed, for any number of waits.
    reader: PipeReader,
    writer: Mutex<Option<PipeWriter>>,
    requested: watch::Sender<bool>,
    /// How many [`ExitImmediately`] guards are held.
    immediate: AtomicUsize,
}

/// While it is held, the first signal exits at once: nothing is running, and nothing needs cleaning up.
#[derive(Debug)]
pub struct ExitImmediately {
    shared: Arc<Shared>,
}

impl Drop for ExitImmediately {
    fn drop(&mut self) {
        self.shared.immediate.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Cancel {
    /// A flag that is not set.
    pub fn new() -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        let shared = Shared {
            reader,
            writer: Mutex::new(Some(writer)),
            requested: watch::Sender::new(false),
            immediate: AtomicUsize::new(0),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// A flag that SIGINT (Ctrl-C), SIGTERM and SIGHUP set. A second signal kills all running commands, calls `last_words` with the
    /// exit code, and exits at once with it: 128 and the signal's number.
    ///
    /// A caller may give its command time to shut down. `patience` bounds all of them: this long after the first signal, every
    /// command that still runs, or starts then, is killed. The end therefore does not depend on what is being waited for.
    ///
    /// A SIGHUP that this process was started to ignore (`nohup`) stays ignored. SIGINT is always handled: scripts start
    /// background jobs with SIGINT ignored, and would leave steady running after their own end.
    pub fn on_signals(patience: Duration, last_words: impl Fn(u8) + Send + 'static) -> io::Result<Self> {
        let cancel = Self::new()?;
        let wanted =
            [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| *signal != SIGHUP || !is_ignored(SIGHUP));
        let mut signals = Signals::new(wanted)?;
        let heard = cancel.clone();
        thread::Builder::new().name("steady-signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                if heard.shared.immediate.load(Ordering::SeqCst) > 0 || !heard.request() {
                    kill_everything();
                    let code = 128 + signal;
                    last_words(u8::try_from(code).unwrap_or(u8::MAX));
                    std::process::exit(code);
                }
                // Without a thread a second signal still ends everything.
                let deadline = thread::Builder::new().name("steady-deadline".to_owned());
                let _ = deadline.spawn(move || end_commands(patience));
            }
        })?;
        Ok(cancel)
    }

    /// While the guard is held, the first signal exits at once. For long computations that own no process and no
    /// half-written file, and that do not check the flag.
    pub fn exit_immediately(&self) -> ExitImmediately {
        self.shared.immediate.fetch_add(1, Ordering::SeqCst);
        ExitImmediately { shared: Arc::clone(&self.shared) }
    }

    /// Sets the flag. `false` when it was set before.
    pub fn request(&self) -> bool {
        // The pipe is closed first: a thread that sees the flag finds it readable.
        let writer = self.shared.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.shared.requested.send_replace(true);
        writer.is_some()
    }

    /// Whether the flag is set.
    pub fn is_requested(&self) -> bool {
        *self.shared.requested.borrow()
    }

    /// Waits until the flag is set.
    pub async fn requested(&self) {
        // The sender lives as long as `self`, so the wait ends only with the flag.
        let _ = self.shared.requested.subscribe().wait_for(|requested| *requested).await;
    }
}

/// Kills every command after this time.
fn end_commands(patience: Duration) {
    thread::sleep(patience);
    loop {
        kill_running();
        thread::sleep(LOOK_EVERY);
    }
}

/// Becomes readable when the flag is set, and stays so.
impl AsFd for Cancel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.shared.reader.as_fd()
    }
}

/// Whether this process ignores a signal; where `/proc` does not say, it does not.
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
        let cancel = Cancel::new().unwrap();
        let clone = cancel.clone();
        assert!(!clone.is_requested());
        assert!(cancel.request());
        assert!(!clone.request());
        assert!(clone.is_requested());
        for _ in 0..2 {
            assert_eq!(wait_readable(&[clone.as_fd()], None), [true]);
        }
    }

    #[test]
    fn tasks_that_wait_before_and_after_the_request_go_on() {
        let cancel = Cancel::new().unwrap();
        let early = cancel.clone();
        let waiting = thread::spawn(move || wait(&early));
        assert!(cancel.request());
        waiting.join().unwrap();
        wait(&cancel);
    }

    fn wait(cancel: &Cancel) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(cancel.requested());
    }
}
