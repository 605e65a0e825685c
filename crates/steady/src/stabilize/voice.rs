//! Tells people, or programs, how it goes.

use std::io;
use std::path::{Path, PathBuf};

use steady_model::{Event, FORMAT_VERSION, Findings, Flaky};

use crate::diagnostic::render_warning;
use crate::error::CommandError;
use crate::events::{Events, JsonLines, Reporter};
use crate::exit::Exit;
use crate::fuzz::files;
use crate::options::SharedOptions;
use crate::output::UnfinishedFile;
use crate::terminal::{self, StabilizeReport, Verbosity};

/// Who is told: a person, or whoever reads events.
pub(super) struct Voice {
    events: Option<Events>,
    verbosity: Verbosity,
    sarif: Option<PathBuf>,
}

impl Voice {
    pub fn new(shared: &SharedOptions, sarif: Option<&Path>) -> Result<Self, CommandError> {
        // Tried before the first run, so that the findings cannot be lost for want of a place.
        sarif.map(UnfinishedFile::create).transpose().map(drop)?;
        let stdout = || vec![Box::new(JsonLines::new("stdout", io::stdout())) as Box<dyn Reporter>];
        let mut events = shared.json.then(|| Events::new(stdout()));
        if let Some(events) = &mut events {
            let tool_version = env!("CARGO_PKG_VERSION").to_owned();
            events.emit(Event::RunStarted {
                command: "stabilize".to_owned(),
                tool_version,
                seed: shared.seed,
            });
        }
        Ok(Self { events, verbosity: shared.verbosity, sarif: sarif.map(Path::to_owned) })
    }

    /// Something that is no finding.
    pub fn warn(&mut self, message: String) {
        match &mut self.events {
            Some(events) => events.emit(Event::Warning { message }),
            None => terminal::talk(render_warning(&message).trim_end()),
        }
    }

    /// The end, and how it came.
    pub fn finish(self, report: &StabilizeReport<'_>, written: &[String]) -> Result<Exit, CommandError> {
        let exit = match report {
            report if report.interrupted => Exit::CouldNot,
            report if report.is_clean() => Exit::Clean,
            _ => Exit::Findings,
        };
        if let Some(target) = self.sarif {
            let file = UnfinishedFile::create(&target)?;
            files::write_sarif(file, &findings(report.flaky), report.path)?;
        }
        let Some(mut events) = self.events else {
            terminal::print(&report.render(self.verbosity))?;
            return Ok(exit);
        };
        for flaky in report.flaky {
            events.emit(Event::FlakyFound { flaky: Box::new(flaky.clone()) });
        }
        for path in written {
            events.emit(Event::FileWritten { path: path.clone() });
        }
        let interrupted = report.interrupted;
        events.emit(Event::RunFinished { exit_code: exit.code(), interrupted, summary: None });
        events.finish();
        Ok(exit)
    }
}

fn findings(flaky: &[Flaky]) -> Findings {
    Findings { version: FORMAT_VERSION, flaky: flaky.to_vec(), faults: Vec::new(), externals: Vec::new() }
}
