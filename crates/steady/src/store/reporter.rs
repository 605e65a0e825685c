//! Writes runs into the store as they end.

use std::io;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use steady_model::rerun::Run;
use steady_model::{Envelope, Event};
use steady_store::{Retention, Session, SessionId, Store, StoreError};

use crate::error::on_one_line;
use crate::events::Reporter;

/// How long runs wait to be written together.
const PATIENCE: Duration = Duration::from_millis(500);

/// The first runs, which are held back: a command that reports nothing usable is given up after as many.
const HELD_BACK: usize = 3;

/// Remembers every run. A command that could not be rerun leaves no trace: its first runs are written when the next one has come,
/// or when a verdict rests on them.
pub struct StoreReporter {
    store: Store,
    retention: Retention,
    begun: Begun,
    waiting: Vec<Run>,
    written: Instant,
    /// Whether the runs can be judged, as far as is known.
    judged: bool,
}

enum Begun {
    /// Looking around takes its time; it is done beside the first run.
    No(Option<JoinHandle<Session>>),
    Yes(SessionId),
}

impl StoreReporter {
    /// Remembers in `store`; `describe` says what session this is.
    pub fn new(
        store: Store,
        retention: Retention,
        describe: impl FnOnce() -> Session + Send + 'static,
    ) -> Self {
        Self {
            store,
            retention,
            begun: Begun::No(Some(std::thread::spawn(describe))),
            waiting: Vec::new(),
            written: Instant::now(),
            judged: false,
        }
    }

    fn session(&mut self) -> io::Result<SessionId> {
        let thread = match &mut self.begun {
            Begun::Yes(session) => return Ok(*session),
            Begun::No(thread) => thread.take(),
        };
        let described = thread.and_then(|thread| thread.join().ok());
        let described = described.ok_or_else(|| io::Error::other("the session cannot be described"))?;
        let session = self.store.begin(&described).map_err(|error| failed(&error))?;
        self.begun = Begun::Yes(session);
        Ok(session)
    }

    fn write(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let session = self.session()?;
        self.store.record(session, Timestamp::now(), &self.waiting).map_err(|error| failed(&error))?;
        self.waiting.clear();
        self.written = Instant::now();
        Ok(())
    }
}

impl Reporter for StoreReporter {
    fn name(&self) -> &'static str {
        "the store"
    }

    fn on_event(&mut self, envelope: &Envelope) -> io::Result<()> {
        match &envelope.event {
            Event::CommandFinished { run, .. } => {
                self.waiting.push(run.as_ref().clone());
                self.judged |= self.waiting.len() > HELD_BACK;
                if self.judged && self.written.elapsed() >= PATIENCE {
                    return self.write();
                }
            }
            Event::TestJudged { .. } => self.judged = true,
            Event::RunFinished { error: None, .. } => self.judged = true,
            _ => {}
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        if !self.judged {
            return Ok(());
        }
        self.write()?;
        if let Begun::Yes(session) = self.begun {
            self.store.finish(session, Timestamp::now()).map_err(|error| failed(&error))?;
            self.store.prune(&self.retention, Timestamp::now()).map_err(|error| failed(&error))?;
        }
        Ok(())
    }
}

/// What went wrong and what to do, in one line: a reporter's failure is a warning.
fn failed(error: &StoreError) -> io::Error {
    io::Error::other(on_one_line(error))
}
