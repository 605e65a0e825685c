//! Warnings and notes on stderr, for commands without a progress bar.

use std::io;

use steady_model::{Envelope, Event};

use super::{Verbosity, note_line, talk};
use crate::diagnostic::render_warning;
use crate::events::Reporter;

/// Prints a line per warning and note.
#[derive(Debug)]
pub struct Talk {
    verbosity: Verbosity,
    /// Whether stdout carries the same as events.
    silent: bool,
}

impl Talk {
    /// `silent` keeps it to itself.
    pub fn new(verbosity: Verbosity, silent: bool) -> Self {
        Self { verbosity, silent }
    }
}

impl Reporter for Talk {
    fn name(&self) -> &'static str {
        "the terminal"
    }

    fn hear(&mut self, envelope: &Envelope) -> io::Result<()> {
        match &envelope.event {
            _ if self.silent => {}
            Event::Warning { message } => talk(render_warning(message).trim_end()),
            Event::Note { message } if self.verbosity > Verbosity::Quiet => talk(&note_line(message)),
            _ => {}
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}
