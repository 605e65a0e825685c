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
        let interrupt = Self { requested: Arc::new(watch::Sender::new(false)) };
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

    /// Whether the run should come to its end.
    pub fn is_requested(&self) -> bool {
        *self.requested.borrow()
    }

    /// The answer, for those who know nothing of signals.
    pub fn watch(&self) -> watch::Receiver<bool> {
        self.requested.subscribe()
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
