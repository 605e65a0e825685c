//! Events and who listens to them.
//!
//! Engines emit through a [`Session`](crate::session::Session); every [`Reporter`] receives every event in the same order. A
//! reporter that fails is dropped with a warning to the others: reporting a run never changes its result.

use std::io::{self, Write};
use std::time::Instant;

use steady_model::{Envelope, Event, Secrets};

/// Receives the events of a run.
pub trait Reporter: Send {
    /// What it is, for the warning when it fails: `the terminal`, `events.jsonl`.
    fn name(&self) -> &'static str;

    /// Receives one event.
    fn on_event(&mut self, envelope: &Envelope) -> io::Result<()>;

    /// The run did its job, and its last event was delivered.
    fn finish(self: Box<Self>) -> io::Result<()>;

    /// The run failed, and its last event was delivered. What was stored so far stays; a recording is dropped.
    fn abandon(self: Box<Self>) {}
}

/// The one place events go through.
pub struct Events {
    started: Instant,
    /// How the run began, for reporters that come later.
    first: Envelope,
    /// Progress, warnings and notes; the first to receive an event.
    terminal: Option<Box<dyn Reporter>>,
    reporters: Vec<Box<dyn Reporter>>,
    /// Whether the last event was emitted.
    ended: bool,
    secrets: Secrets,
}

impl Events {
    /// A stream that begins now, with this event.
    pub fn begin(first: Event, terminal: Box<dyn Reporter>, reporters: Vec<Box<dyn Reporter>>) -> Self {
        let started = Instant::now();
        let first = Envelope { version: Envelope::VERSION, elapsed_ms: 0, event: first };
        let mut events = Self {
            started,
            first: first.clone(),
            terminal: Some(terminal),
            reporters,
            ended: false,
            secrets: Secrets::default(),
        };
        events.deliver(&first);
        events
    }

    /// Masks these secrets in whatever is reported from now on.
    pub fn masking(mut self, secrets: Secrets) -> Self {
        self.secrets = secrets;
        self
    }

    /// Puts another reporter in the terminal's place.
    pub fn show(&mut self, mut terminal: Box<dyn Reporter>) {
        // If the terminal cannot be written to, there is nowhere to report that.
        let _ = terminal.on_event(&self.first);
        self.terminal = Some(terminal);
    }

    /// Adds a reporter, which first receives how the run began.
    pub fn attach(&mut self, mut reporter: Box<dyn Reporter>) {
        match reporter.on_event(&self.first) {
            Ok(()) => self.reporters.push(reporter),
            Err(error) => self.note_failure(reporter.name(), &error),
        }
    }

    /// Hands an event to every reporter, without secrets.
    pub fn emit(&mut self, mut event: Event) {
        self.secrets.mask_event(&mut event);
        let elapsed_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.deliver(&Envelope { version: Envelope::VERSION, elapsed_ms, event });
    }

    fn deliver(&mut self, envelope: &Envelope) {
        if self.ended {
            // Only the terminal gets it: the stream has had its last event.
            self.show_event(envelope);
            return;
        }
        self.ended = matches!(envelope.event, Event::RunFinished { .. });
        self.show_event(envelope);
        let mut failed = Vec::new();
        self.reporters.retain_mut(|reporter| match reporter.on_event(envelope) {
            Ok(()) => true,
            Err(error) => {
                failed.push((reporter.name(), error));
                false
            }
        });
        for (name, error) in failed {
            self.note_failure(name, &error);
        }
    }

    fn show_event(&mut self, envelope: &Envelope) {
        if let Some(terminal) = &mut self.terminal {
            let _ = terminal.on_event(envelope);
        }
    }

    /// Lets every reporter finish its work; call it after the last event.
    pub fn finish(mut self) {
        // Only the remaining reporters can warn of one that fails now; the terminal is the last.
        while let Some(reporter) = self.reporters.pop() {
            let name = reporter.name();
            if let Err(error) = reporter.finish() {
                self.note_failure(name, &error);
            }
        }
        if let Some(terminal) = self.terminal {
            let _ = terminal.finish();
        }
    }

    /// The same for a run that failed.
    pub fn abandon(self) {
        self.reporters.into_iter().chain(self.terminal).for_each(Reporter::abandon);
    }

    fn note_failure(&mut self, name: &str, error: &io::Error) {
        // A reader that closed the pipe has read enough: not a failure.
        if error.kind() != io::ErrorKind::BrokenPipe {
            self.emit(Event::Warning { message: format!("{name} cannot be written any more: {error}") });
        }
    }
}

/// Prints one JSON object per line to stdout.
pub struct JsonLines;

impl Reporter for JsonLines {
    fn name(&self) -> &'static str {
        "stdout"
    }

    fn on_event(&mut self, envelope: &Envelope) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        serde_json::to_writer(&mut stdout, envelope)?;
        stdout.write_all(b"\n")?;
        // Flushed line by line: a reader of the pipe sees each event as it happens.
        stdout.flush()
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        io::stdout().flush()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use steady_model::Secret;

    use super::*;
    use crate::ui::{Messages, Verbosity};

    struct Listener {
        received: Arc<Mutex<Vec<String>>>,
        fails_with: Option<io::ErrorKind>,
        finish_fails: bool,
    }

    impl Reporter for Listener {
        fn name(&self) -> &'static str {
            "the listener"
        }

        fn on_event(&mut self, envelope: &Envelope) -> io::Result<()> {
            let line = serde_json::to_value(envelope)?;
            let text = line["message"].as_str().or(line["event"].as_str()).unwrap_or_default().to_owned();
            self.received.lock().unwrap().push(text);
            match (&envelope.event, self.fails_with) {
                (Event::Warning { .. }, Some(kind)) => Err(kind.into()),
                _ => Ok(()),
            }
        }

        fn finish(self: Box<Self>) -> io::Result<()> {
            if self.finish_fails { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }
    }

    fn listener(fails_with: Option<io::ErrorKind>) -> (Box<Listener>, Arc<Mutex<Vec<String>>>) {
        let received = Arc::default();
        (Box::new(Listener { received: Arc::clone(&received), fails_with, finish_fails: false }), received)
    }

    fn begin(reporters: Vec<Box<dyn Reporter>>) -> Events {
        let first = Event::Note { message: "began".to_owned() };
        Events::begin(first, Box::new(Messages::new(Verbosity::Quiet, true)), reporters)
    }

    fn warning(message: &str) -> Event {
        Event::Warning { message: message.to_owned() }
    }

    const LAST: Event = Event::RunFinished { exit_code: 0, interrupted: false, error: None, summary: None };

    #[test]
    fn a_failing_reporter_is_noted_and_the_others_go_on() {
        let (broken, broken_received) = listener(Some(io::ErrorKind::StorageFull));
        let (sound, sound_received) = listener(None);
        let mut events = begin(vec![broken, sound]);
        events.emit(warning("one"));
        events.emit(warning("two"));
        events.finish();
        assert_eq!(*broken_received.lock().unwrap(), ["began", "one"]);
        let received = sound_received.lock().unwrap();
        assert_eq!((received[1].as_str(), received[3].as_str(), received.len()), ("one", "two", 4));
        assert!(received[2].starts_with("the listener cannot be written any more"), "{}", received[2]);
    }

    #[test]
    fn no_reporter_hears_a_secret() {
        let (listener, received) = listener(None);
        let secrets = Secrets::new([("STEADY_KEY".to_owned(), Secret::new("0123456789"))]);
        let mut events = begin(vec![listener]).masking(secrets.clone());
        events.emit(warning("given 0123456789, not yet known abcdefghij"));
        secrets.issue("abcdefghij");
        events.emit(warning("issued abcdefghij"));
        let expected = ["began", "given ${STEADY_KEY}, not yet known abcdefghij", "issued ***"];
        assert_eq!(*received.lock().unwrap(), expected);
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let (closed, _) = listener(Some(io::ErrorKind::BrokenPipe));
        let (sound, received) = listener(None);
        let mut events = begin(vec![closed, sound]);
        events.emit(warning("one"));
        events.finish();
        assert_eq!(*received.lock().unwrap(), ["began", "one"]);
    }

    #[test]
    fn nothing_follows_the_last_event_though_a_reporter_fails_in_the_end() {
        let (sound, received) = listener(None);
        let (failing, _) = listener(None);
        let mut events = begin(vec![sound, Box::new(Listener { finish_fails: true, ..*failing })]);
        events.emit(LAST);
        events.emit(warning("too late"));
        events.finish();
        assert_eq!(*received.lock().unwrap(), ["began", "run_finished"]);
    }

    #[test]
    fn a_reporter_that_comes_later_hears_how_the_run_began() {
        let (late, received) = listener(None);
        let mut events = begin(Vec::new());
        events.emit(warning("missed"));
        events.attach(late);
        events.emit(LAST);
        events.finish();
        assert_eq!(*received.lock().unwrap(), ["began", "run_finished"]);
    }
}
