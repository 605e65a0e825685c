//! A command from its first event to its last.
//!
//! [`run`] begins every command and ends it: it emits [`Event::RunStarted`], hands the work a [`Session`], and emits exactly
//! one [`Event::RunFinished`] on every way out: success, an error, a signal, a panic. With `--format json` that is the last
//! line of stdout. Reporters, the output folder and cancellation belong to the session, so no command builds its own.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use steady_model::{Event, Secrets, Summary, mask_address};
use steady_process::Cancel;

use crate::cli::SharedArgs;
use crate::error::{CommandError, Interrupted, SignalError};
use crate::events::{Events, JsonLines, Reporter};
use crate::exit::Exit;
use crate::options::SharedOptions;
use crate::output::OutputFolder;
use crate::recording::Recording;
use crate::ui::{self, Messages};

/// The file the event stream is recorded in.
pub const EVENTS_FILE: &str = "events.jsonl";
/// How long after the first signal commands may still run: long enough to check what was found last, and short enough to write it within
/// two seconds of the signal.
const PATIENCE: Duration = Duration::from_millis(1500);
/// How long a signal that exits at once waits for an event that is being written.
const LAST_EVENT: Duration = Duration::from_millis(200);
/// The exit code of a process that panicked.
const PANICKED: u8 = 101;

/// What every command works with.
pub struct Session {
    shared: SharedOptions,
    cancel: Cancel,
    stream: Stream,
    folder: Option<OutputFolder>,
    secrets: Secrets,
}

/// The events, until the last one: the thread that receives signals can end the stream, too.
type Stream = Arc<Mutex<Option<Events>>>;

/// How a command ended that did its job, wholly or in part.
#[derive(Debug, Default)]
pub struct Ended {
    /// The exit code.
    pub exit: Exit,
    /// Whether the user cut it short.
    pub interrupted: bool,
    /// The figures of a fuzzing run.
    pub summary: Option<Box<Summary>>,
    /// What a person reads at the end, on stdout.
    pub report: String,
    /// What kept it from doing all of its job; what it did is still reported.
    pub obstacle: Option<CommandError>,
}

impl Ended {
    /// The end of a command that nothing cut short.
    pub fn with(exit: Exit, report: String) -> Self {
        Self { exit, report, ..Self::default() }
    }
}

/// Runs a command: from the first event to the last.
pub fn run(
    command: &'static str,
    shared: &SharedArgs,
    work: impl FnOnce(&mut Session) -> Result<Ended, CommandError>,
) -> Result<Exit, CommandError> {
    let mut session = Session::begin(command, SharedOptions::from_args(shared))?;
    let result = work(&mut session);
    session.finish(result)
}

impl Session {
    fn begin(command: &'static str, shared: SharedOptions) -> Result<Self, CommandError> {
        let mut reporters: Vec<Box<dyn Reporter>> = Vec::new();
        if shared.json {
            reporters.push(Box::new(JsonLines));
        }
        let terminal = Box::new(Messages::new(shared.verbosity, shared.json));
        let started = Event::RunStarted {
            command: command.to_owned(),
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: shared.seed,
        };
        let secrets = Secrets::default();
        let events = Events::begin(started, terminal, reporters).masking(secrets.clone());
        let stream: Stream = Arc::new(Mutex::new(Some(events)));
        let last = Arc::clone(&stream);
        let cancel =
            Cancel::on_signals(PATIENCE, move |code| end_at_once(&last, code)).map_err(SignalError)?;
        Ok(Self { shared, cancel, stream, folder: None, secrets })
    }

    /// Options every command has.
    pub fn shared(&self) -> &SharedOptions {
        &self.shared
    }

    /// Set when the user wants the command to end.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// What must not be written down: given credentials are added to it, and whatever sends requests adds what the API issues.
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Whether stdout carries events.
    pub fn is_json(&self) -> bool {
        self.shared.json
    }

    /// Shows progress in another way than a line per warning.
    pub fn show(&self, terminal: impl Reporter + 'static) {
        self.with_events(|events| events.show(Box::new(terminal)));
    }

    /// Adds a reporter; it receives how the run began, and everything from now on.
    pub fn attach(&self, reporter: impl Reporter + 'static) {
        self.with_events(|events| events.attach(Box::new(reporter)));
    }

    /// Claims the output folder and begins to record the events there. Fails when a file that is not steady's has one of
    /// these names, which the command is going to write.
    pub fn claim_output(&mut self, names: &[&str]) -> Result<(), CommandError> {
        let folder = OutputFolder::open(&self.shared.out)?;
        folder.check(names.iter().copied())?;
        self.attach(Recording::new(EVENTS_FILE, folder.begin(EVENTS_FILE)?, self.secrets.clone()));
        self.folder = Some(folder);
        Ok(())
    }

    /// The output folder, once it is claimed.
    pub fn folder(&self) -> Option<&OutputFolder> {
        self.folder.as_ref()
    }

    /// Where results are: the output folder, or the folder in it that keeps an earlier result from being replaced.
    pub fn out(&self) -> std::path::PathBuf {
        self.folder.as_ref().map_or_else(|| self.shared.out.clone(), OutputFolder::place_of_results)
    }

    /// Something that happened.
    pub fn emit(&self, event: Event) {
        self.with_events(|events| events.emit(event));
    }

    /// Something the user should act on that is no finding.
    pub fn warn(&self, message: impl Into<String>) {
        self.emit(Event::Warning { message: message.into() });
    }

    /// Something worth knowing that asks for no action.
    pub fn note(&self, message: impl Into<String>) {
        self.emit(Event::Note { message: message.into() });
    }

    /// A file was written.
    pub fn wrote(&self, path: &Path) {
        self.emit(Event::FileWritten { path: path.display().to_string() });
    }

    /// Waits for something that may take long before anything is known; a signal ends the wait, and with it the command.
    pub fn unless_cancelled<T>(
        &self,
        runtime: &tokio::runtime::Runtime,
        work: impl Future<Output = T>,
    ) -> Result<T, CommandError> {
        runtime.block_on(async {
            tokio::select! {
                biased;
                () = self.cancel.requested() => Err(Interrupted.into()),
                result = work => Ok(result),
            }
        })
    }

    fn with_events<T>(&self, action: impl FnOnce(&mut Events) -> T) -> Option<T> {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map(action)
    }

    fn take_events(&self) -> Option<Events> {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The one place a run ends in, whatever its result.
    fn finish(self, result: Result<Ended, CommandError>) -> Result<Exit, CommandError> {
        let Some(mut events) = self.take_events() else { return result.map(|ended| ended.exit) };
        match result {
            Ok(ended) => {
                let error = ended.obstacle.as_ref().map(|error| mask_address(&error.to_string()));
                let exit = if error.is_some() { Exit::Error } else { ended.exit };
                let (interrupted, summary) = (ended.interrupted, ended.summary);
                events.emit(Event::RunFinished { exit_code: exit.code(), interrupted, error, summary });
                events.finish();
                if let Some(folder) = &self.folder
                    && let Err(error) = folder.note_stream(EVENTS_FILE)
                {
                    ui::eprint_line(&crate::diagnostic::render_warning(&error.to_string()));
                }
                if !self.shared.json {
                    ui::print(&self.secrets.mask(&ended.report))?;
                }
                ended.obstacle.map_or(Ok(exit), |error| Err(error.masking(&self.secrets)))
            }
            Err(error) => {
                let exit_code = Exit::Error.code();
                let interrupted = self.cancel.is_requested();
                let message = Some(mask_address(&error.to_string()));
                events.emit(Event::RunFinished { exit_code, interrupted, error: message, summary: None });
                // The recording goes with the stream: a run that did nothing leaves nothing.
                events.abandon();
                Err(error.masking(&self.secrets))
            }
        }
    }
}

/// A panic ends the stream, too.
impl Drop for Session {
    fn drop(&mut self) {
        if let Some(mut events) = self.take_events() {
            let error = Some("steady panicked; this is a bug".to_owned());
            events.emit(Event::RunFinished { exit_code: PANICKED, interrupted: false, error, summary: None });
            events.abandon();
        }
    }
}

/// Ends the stream from the thread that receives signals, right before it exits. An event that is being written is waited for, but
/// not long: its reader may not read any more.
fn end_at_once(stream: &Stream, exit_code: u8) {
    let until = Instant::now() + LAST_EVENT;
    let events = loop {
        match stream.try_lock() {
            Ok(mut events) => break events.take(),
            Err(TryLockError::Poisoned(poisoned)) => break poisoned.into_inner().take(),
            Err(TryLockError::WouldBlock) if Instant::now() >= until => return,
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(2)),
        }
    };
    if let Some(mut events) = events {
        let error = Some("ended by a signal".to_owned());
        events.emit(Event::RunFinished { exit_code, interrupted: true, error, summary: None });
        events.abandon();
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::ui::Verbosity;

    struct Recorder(Arc<Mutex<Vec<Event>>>);

    impl Reporter for Recorder {
        fn name(&self) -> &'static str {
            "the recorder"
        }

        fn on_event(&mut self, envelope: &steady_model::Envelope) -> io::Result<()> {
            self.0.lock().unwrap().push(envelope.event.clone());
            Ok(())
        }

        fn finish(self: Box<Self>) -> io::Result<()> {
            Ok(())
        }
    }

    fn session() -> (Session, Arc<Mutex<Vec<Event>>>) {
        let received: Arc<Mutex<Vec<Event>>> = Arc::default();
        let first = Event::Note { message: "began".to_owned() };
        let terminal = Box::new(Messages::new(Verbosity::Quiet, true));
        let events = Events::begin(first, terminal, vec![Box::new(Recorder(Arc::clone(&received)))]);
        let shared = SharedOptions {
            config: None,
            out: "unused".into(),
            json: true,
            verbosity: Verbosity::Quiet,
            seed: 0,
        };
        let stream = Arc::new(Mutex::new(Some(events)));
        (
            Session {
                shared,
                cancel: Cancel::new().unwrap(),
                stream,
                folder: None,
                secrets: Secrets::default(),
            },
            received,
        )
    }

    fn exit_codes(received: &Mutex<Vec<Event>>) -> Vec<(u8, bool)> {
        let received = received.lock().unwrap();
        let last = |event: &Event| match event {
            Event::RunFinished { exit_code, interrupted, .. } => Some((*exit_code, *interrupted)),
            _ => None,
        };
        assert!(last(&received[received.len() - 1]).is_some(), "{received:?}");
        received.iter().filter_map(last).collect()
    }

    #[test]
    fn a_signal_that_exits_at_once_ends_the_stream_and_nothing_follows() {
        let (session, received) = session();
        end_at_once(&session.stream, 143);
        session.warn("too late");
        assert_eq!(session.finish(Ok(Ended::default())).unwrap(), Exit::Clean);
        assert_eq!(exit_codes(&received), [(143, true)]);
    }

    #[test]
    fn a_panic_ends_the_stream() {
        let (session, received) = session();
        let worked = thread::spawn(move || {
            let _session = session;
            panic!("a bug");
        });
        assert!(worked.join().is_err());
        assert_eq!(exit_codes(&received), [(101, false)]);
    }

    #[test]
    fn what_a_command_did_before_an_obstacle_is_reported_and_the_exit_code_is_the_obstacles() {
        let (session, received) = session();
        let ended =
            Ended { obstacle: Some(Interrupted.into()), ..Ended::with(Exit::Findings, String::new()) };
        assert!(session.finish(Ok(ended)).is_err());
        assert_eq!(exit_codes(&received), [(2, false)]);
    }
}
