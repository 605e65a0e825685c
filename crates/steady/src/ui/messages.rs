//! Warnings and notes on stderr, for commands without a progress bar.

use std::io;

use steady_model::{Envelope, Event};

use super::{Verbosity, eprint_line, note_line};
use crate::diagnostic::render_warning;
use crate::events::Reporter;

/// Prints a line per warning and note.
#[derive(Debug)]
pub struct Messages {
    verbosity: Verbosity,
    /// Whether stdout carries the same as events.
    silent: bool,
}

impl Messages {
    /// `silent` keeps it to itself.
    pub fn new(verbosity: Verbosity, silent: bool) -> Self {
        Self { verbosity, silent }
    }
}

impl Reporter for Messages {
    fn name(&self) -> &'static str {
        "the terminal"
    }

    fn on_event(&mut self, envelope: &Envelope) -> io::Result<()> {
        match &envelope.event {
            _ if self.silent => {}
            Event::Warning { message } => eprint_line(render_warning(message).trim_end()),
            Event::Note { message } if self.verbosity > Verbosity::Quiet => eprint_line(&note_line(message)),
            _ => {}
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}
