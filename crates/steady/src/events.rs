//! Events and who listens to them.
//!
//! Engines emit through a [`Session`](crate::session::Session); every [`Reporter`] hears every event in the same order. A
//! reporter that fails is dropped with a warning to the others: reporting a run never changes its result.

use std::io::{self, Write};
use std::time::Instant;

use steady_model::{Envelope, Event, Secrets};

/// Hears the events of a run.
pub trait Reporter: Send {
    /// What it is, for the warning when it fails: `the terminal`, `events.jsonl`.
    fn name(&self) -> &'static str;

    /// Hears one event.
    fn hear(&mut self, envelope: &Envelope) -> io::Result<()>;

    /// The run did its job, and its last event was heard.
    fn finish(self: Box<Self>) -> io::Result<()>;

    /// The run failed, and its last event was heard. What was remembered so far stays; a recording is dropped.
    fn abandon(self: Box<Self>) {}
}

/// The one place events go through.
pub struct Events {
    started: Instant,
    /// How the run began, for reporters that come later.
    first: Envelope,
    /// Progress, and what people should know meanwhile; the first to hear.
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
        events.hear(&first);
        events
    }

    /// Masks these secrets in whatever is reported from now on.
    pub fn masking(mut self, secrets: Secrets) -> Self {
        self.secrets = secrets;
        self
    }

    /// Puts another reporter in the terminal's place.
    pub fn show(&mut self, mut terminal: Box<dyn Reporter>) {
        // A terminal cannot be written to only when nobody is left who could read of it.
        let _ = terminal.hear(&self.first);
        self.terminal = Some(terminal);
    }

    /// Adds a reporter, which first hears how the run began.
    pub fn attach(&mut self, mut reporter: Box<dyn Reporter>) {
        match reporter.hear(&self.first) {
            Ok(()) => self.reporters.push(reporter),
            Err(error) => self.note_failure(reporter.name(), &error),
        }
    }

    /// Hands an event to every reporter, without secrets.
    pub fn emit(&mut self, mut event: Event) {
        self.secrets.mask_event(&mut event);
        let elapsed_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.hear(&Envelope { version: Envelope::VERSION, elapsed_ms, event });
    }

    fn hear(&mut self, envelope: &Envelope) {
        if self.ended {
            // Only the terminal hears it: the stream has had its last event.
            self.show_event(envelope);
            return;
        }
        self.ended = matches!(envelope.event, Event::RunFinished { .. });
        self.show_event(envelope);
        let mut failed = Vec::new();
        self.reporters.retain_mut(|reporter| match reporter.hear(envelope) {
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
            let _ = terminal.hear(envelope);
        }
    }

    /// Lets every reporter finish its work; call it after the last event.
    pub fn finish(mut self) {
        // A reporter that fails now can only be warned of by those that are still there; the terminal is the last.
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
        // A reader that closed the pipe has read enough; that is no failure.
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

    fn hear(&mut self, envelope: &Envelope) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        serde_json::to_writer(&mut stdout, envelope)?;
        stdout.write_all(b"\n")?;
        // Flushed line by line: whoever reads the pipe sees each event as it happens.
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
    use crate::ui::{Talk, Verbosity};

    struct Listener {
        heard: Arc<Mutex<Vec<String>>>,
        fails_with: Option<io::ErrorKind>,
        finish_fails: bool,
    }

    impl Reporter for Listener {
        fn name(&self) -> &'static str {
            "the listener"
        }

        fn hear(&mut self, envelope: &Envelope) -> io::Result<()> {
            let line = serde_json::to_value(envelope)?;
            let text = line["message"].as_str().or(line["event"].as_str()).unwrap_or_default().to_owned();
            self.heard.lock().unwrap().push(text);
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
        let heard = Arc::default();
        (Box::new(Listener { heard: Arc::clone(&heard), fails_with, finish_fails: false }), heard)
    }

    fn begin(reporters: Vec<Box<dyn Reporter>>) -> Events {
        let first = Event::Note { message: "began".to_owned() };
        Events::begin(first, Box::new(Talk::new(Verbosity::Quiet, true)), reporters)
    }

    fn warning(message: &str) -> Event {
        Event::Warning { message: message.to_owned() }
    }

    const LAST: Event = Event::RunFinished { exit_code: 0, interrupted: false, error: None, summary: None };

    #[test]
    fn a_failing_reporter_is_noted_and_the_others_go_on() {
        let (broken, broken_heard) = listener(Some(io::ErrorKind::StorageFull));
        let (sound, sound_heard) = listener(None);
        let mut events = begin(vec![broken, sound]);
        events.emit(warning("one"));
        events.emit(warning("two"));
        events.finish();
        assert_eq!(*broken_heard.lock().unwrap(), ["began", "one"]);
        let heard = sound_heard.lock().unwrap();
        assert_eq!((heard[1].as_str(), heard[3].as_str(), heard.len()), ("one", "two", 4));
        assert!(heard[2].starts_with("the listener cannot be written any more"), "{}", heard[2]);
    }

    #[test]
    fn no_reporter_hears_a_secret() {
        let (listener, heard) = listener(None);
        let secrets = Secrets::new([("STEADY_KEY".to_owned(), Secret::new("0123456789"))]);
        let mut events = begin(vec![listener]).masking(secrets.clone());
        events.emit(warning("given 0123456789, not yet known abcdefghij"));
        secrets.issue("abcdefghij");
        events.emit(warning("issued abcdefghij"));
        let expected = ["began", "given ${STEADY_KEY}, not yet known abcdefghij", "issued ***"];
        assert_eq!(*heard.lock().unwrap(), expected);
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let (closed, _) = listener(Some(io::ErrorKind::BrokenPipe));
        let (sound, heard) = listener(None);
        let mut events = begin(vec![closed, sound]);
        events.emit(warning("one"));
        events.finish();
        assert_eq!(*heard.lock().unwrap(), ["began", "one"]);
    }

    #[test]
    fn nothing_follows_the_last_event_though_a_reporter_fails_in_the_end() {
        let (sound, heard) = listener(None);
        let (failing, _) = listener(None);
        let mut events = begin(vec![sound, Box::new(Listener { finish_fails: true, ..*failing })]);
        events.emit(LAST);
        events.emit(warning("too late"));
        events.finish();
        assert_eq!(*heard.lock().unwrap(), ["began", "run_finished"]);
    }

    #[test]
    fn a_reporter_that_comes_later_hears_how_the_run_began() {
        let (late, heard) = listener(None);
        let mut events = begin(Vec::new());
        events.emit(warning("missed"));
        events.attach(late);
        events.emit(LAST);
        events.finish();
        assert_eq!(*heard.lock().unwrap(), ["began", "run_finished"]);
    }
}
