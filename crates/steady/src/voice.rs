//! Tells people, or programs, how it goes: for commands that print a report at their end and write no event file.

use std::io;

use serde::Serialize;
use steady_model::Event;

use crate::diagnostic::render_warning;
use crate::error::CommandError;
use crate::events::{Events, JsonLines, Reporter};
use crate::exit::Exit;
use crate::options::SharedOptions;
use crate::terminal::{self, Verbosity, escape_controls};

/// Who is told: a person, or whoever reads events.
pub struct Voice {
    events: Option<Events>,
    verbosity: Verbosity,
}

impl Voice {
    /// Begins to tell of a command.
    pub fn new(command: &str, shared: &SharedOptions) -> Self {
        let stdout = || vec![Box::new(JsonLines::new("stdout", io::stdout())) as Box<dyn Reporter>];
        let mut events = shared.json.then(|| Events::new(stdout()));
        if let Some(events) = &mut events {
            let tool_version = env!("CARGO_PKG_VERSION").to_owned();
            events.emit(Event::RunStarted { command: command.to_owned(), tool_version, seed: shared.seed });
        }
        Self { events, verbosity: shared.verbosity }
    }

    /// How much people are told.
    pub fn verbosity(&self) -> Verbosity {
        self.verbosity
    }

    /// Whether a program listens.
    pub fn is_for_programs(&self) -> bool {
        self.events.is_some()
    }

    /// Something that is no finding.
    pub fn warn(&mut self, message: String) {
        match &mut self.events {
            Some(events) => events.emit(Event::Warning { message }),
            None => terminal::talk(render_warning(&message).trim_end()),
        }
    }

    /// Something worth knowing that nobody has to act on.
    pub fn note(&mut self, message: String) {
        match &mut self.events {
            Some(events) => events.emit(Event::Warning { message }),
            None if self.verbosity > Verbosity::Quiet => {
                terminal::talk(&escape_controls(&format!("note: {message}")));
            }
            None => {}
        }
    }

    /// Something that happened, for programs.
    pub fn emit(&mut self, event: Event) {
        if let Some(events) = &mut self.events {
            events.emit(event);
        }
    }

    /// The end: a report for people, or the last event for programs.
    pub fn finish(
        self,
        exit: Exit,
        interrupted: bool,
        report: impl FnOnce(Verbosity) -> String,
    ) -> Result<Exit, CommandError> {
        match self.events {
            None => terminal::print(&report(self.verbosity))?,
            Some(events) => end(events, exit, interrupted),
        }
        Ok(exit)
    }

    /// As [`Voice::finish`]; a program gets a result object in a line of its own behind the last event.
    pub fn finish_with(
        self,
        exit: Exit,
        interrupted: bool,
        result: &impl Serialize,
        report: impl FnOnce(Verbosity) -> String,
    ) -> Result<Exit, CommandError> {
        let line = if self.is_for_programs() { serde_json::to_string(result).ok() } else { None };
        self.finish(exit, interrupted, report)?;
        if let Some(line) = line {
            terminal::print(&(line + "\n"))?;
        }
        Ok(exit)
    }
}

fn end(mut events: Events, exit: Exit, interrupted: bool) {
    events.emit(Event::RunFinished { exit_code: exit.code(), interrupted, summary: None });
    events.finish();
}
