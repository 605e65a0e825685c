//! Ctrl-C: the first one ends the run in order, the second one at once.

use std::io;
use std::sync::Arc;

use tokio::sync::watch;

use crate::exit::Exit;

/// Whether the user asked for the end of the run. Clones share the answer.
#[derive(Debug, Clone)]
pub struct Interrupt {
    requested: Arc<watch::Sender<bool>>,
}

impl Interrupt {
    /// Begins to listen at once; needs a running tokio runtime.
    pub fn listen() -> Self {
        let interrupt = Self::never();
        let requested = Arc::clone(&interrupt.requested);
        // Where the system lets nobody listen, Ctrl-C ends the process as it always does.
        if let Ok(mut signal) = ctrl_c() {
            tokio::spawn(async move {
                while signal.recv().await.is_some() {
                    if requested.send_replace(true) {
                        std::process::exit(i32::from(Exit::CouldNot.code()));
                    }
                }
            });
        }
        interrupt
    }

    /// An interrupt that only comes from [`Interrupt::request`].
    pub fn never() -> Self {
        Self { requested: Arc::new(watch::Sender::new(false)) }
    }

    /// Asks for the end of the run.
    pub fn request(&self) {
        self.requested.send_replace(true);
    }

    /// Whether the run should come to its end.
    pub fn is_requested(&self) -> bool {
        *self.requested.borrow()
    }

    /// The answer, for those who know nothing of signals.
    pub fn watch(&self) -> watch::Receiver<bool> {
        self.requested.subscribe()
    }

    /// Waits until the run should come to its end.
    pub async fn requested(&self) {
        // The sender lives as long as `self`, so waiting cannot fail.
        let _ = self.requested.subscribe().wait_for(|requested| *requested).await;
    }
}

#[cfg(unix)]
fn ctrl_c() -> io::Result<tokio::signal::unix::Signal> {
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())
}

#[cfg(windows)]
fn ctrl_c() -> io::Result<tokio::signal::windows::CtrlC> {
    tokio::signal::windows::ctrl_c()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_request_is_seen_by_every_clone() {
        let interrupt = Interrupt::never();
        let clone = interrupt.clone();
        assert!(!clone.is_requested());
        interrupt.request();
        clone.requested().await;
        assert!(clone.is_requested());
    }
}
