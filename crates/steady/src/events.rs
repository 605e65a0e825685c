//! Events and who listens to them.
//!
//! Engines call [`Events::emit`]; every [`Reporter`] hears every event in the same order. A reporter that fails is
//! dropped with a warning to the others: telling of a run never changes its result.

use std::io::{self, Write};
use std::time::Instant;

use steady_model::{Envelope, Event, FORMAT_VERSION};

use crate::output::UnfinishedFile;

/// Hears the events of a run.
pub trait Reporter {
    /// What it is, for the warning when it fails: `the terminal`, `events.jsonl`.
    fn name(&self) -> &'static str;

    /// Hears one event.
    fn hear(&mut self, envelope: &Envelope) -> io::Result<()>;

    /// The run is over: nothing more will be heard.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// The one place events go through.
pub struct Events {
    started: Instant,
    reporters: Vec<Box<dyn Reporter>>,
}

impl Events {
    /// A stream that begins now.
    pub fn new(reporters: Vec<Box<dyn Reporter>>) -> Self {
        Self { started: Instant::now(), reporters }
    }

    /// Tells every reporter.
    pub fn emit(&mut self, event: Event) {
        let envelope = self.envelope(event);
        let mut failed = Vec::new();
        self.reporters.retain_mut(|reporter| match reporter.hear(&envelope) {
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

    /// Lets every reporter finish its work; call it after the terminal event.
    pub fn finish(mut self) {
        // Those that fail last can only be told of to those that are still there.
        while let Some(reporter) = self.reporters.pop() {
            let name = reporter.name();
            if let Err(error) = reporter.finish() {
                self.note_failure(name, &error);
            }
        }
    }

    fn note_failure(&mut self, name: &str, error: &io::Error) {
        // Whoever closed the pipe has heard enough; that is no failure.
        if error.kind() != io::ErrorKind::BrokenPipe {
            self.emit(Event::Warning { message: format!("{name} cannot be written any more: {error}") });
        }
    }

    fn envelope(&self, event: Event) -> Envelope {
        let elapsed_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        Envelope { version: FORMAT_VERSION, elapsed_ms, event }
    }
}

/// Writes one JSON object per line.
pub struct JsonLines<W> {
    name: &'static str,
    writer: W,
}

impl<W: Write> JsonLines<W> {
    /// Lines on `writer`; `name` is for warnings.
    pub fn new(name: &'static str, writer: W) -> Self {
        Self { name, writer }
    }

    fn write(&mut self, envelope: &Envelope) -> io::Result<()> {
        serde_json::to_writer(&mut self.writer, envelope)?;
        self.writer.write_all(b"\n")
    }
}

impl Reporter for JsonLines<io::Stdout> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn hear(&mut self, envelope: &Envelope) -> io::Result<()> {
        // Flushed line by line: whoever reads the pipe sees each event as it happens.
        self.write(envelope)?;
        self.writer.flush()
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Reporter for JsonLines<io::BufWriter<UnfinishedFile>> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn hear(&mut self, envelope: &Envelope) -> io::Result<()> {
        self.write(envelope)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        let file = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.finish().map_err(io::Error::other)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;

    struct Listener {
        heard: Rc<RefCell<Vec<String>>>,
        fails_with: Option<io::ErrorKind>,
    }

    impl Reporter for Listener {
        fn name(&self) -> &'static str {
            "the listener"
        }

        fn hear(&mut self, envelope: &Envelope) -> io::Result<()> {
            let line = serde_json::to_value(envelope)?;
            self.heard.borrow_mut().push(line["message"].as_str().unwrap_or_default().to_owned());
            self.fails_with.map_or(Ok(()), |kind| Err(kind.into()))
        }

        fn finish(self: Box<Self>) -> io::Result<()> {
            Ok(())
        }
    }

    fn listener(fails_with: Option<io::ErrorKind>) -> (Box<Listener>, Rc<RefCell<Vec<String>>>) {
        let heard = Rc::default();
        (Box::new(Listener { heard: Rc::clone(&heard), fails_with }), heard)
    }

    fn warning(message: &str) -> Event {
        Event::Warning { message: message.to_owned() }
    }

    #[test]
    fn a_failing_reporter_is_noted_and_the_others_go_on() {
        let (broken, broken_heard) = listener(Some(io::ErrorKind::StorageFull));
        let (sound, sound_heard) = listener(None);
        let mut events = Events::new(vec![broken, sound]);
        events.emit(warning("one"));
        events.emit(warning("two"));
        events.finish();
        assert_eq!(*broken_heard.borrow(), ["one"]);
        let heard = sound_heard.borrow();
        assert_eq!((heard[0].as_str(), heard[2].as_str(), heard.len()), ("one", "two", 3));
        assert!(heard[1].starts_with("the listener cannot be written any more"), "{}", heard[1]);
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let (closed, _) = listener(Some(io::ErrorKind::BrokenPipe));
        let (sound, heard) = listener(None);
        let mut events = Events::new(vec![closed, sound]);
        events.emit(warning("one"));
        events.finish();
        assert_eq!(*heard.borrow(), ["one"]);
    }
}
