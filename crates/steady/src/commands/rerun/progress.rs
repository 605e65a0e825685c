//! The progress bar of `steady rerun`, on stderr; a line every ten seconds where stderr is no terminal.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use steady_model::rerun::{Outcome, Run, TestId};
use steady_model::{Envelope, Event};

use super::heartbeat::{Heartbeat, Progress};
use crate::diagnostic::render_warning;
use crate::events::Reporter;
use crate::ui::{Verbosity, counted, eprint_line, escape_controls, note_line};

/// Shows how far the runs are, and warnings as they come.
pub struct RerunProgress {
    bar: ProgressBar,
    verbosity: Verbosity,
    /// Whether each test passed and whether it failed so far.
    seen: BTreeMap<TestId, (bool, bool)>,
    runs: u64,
    heartbeat: Option<Heartbeat>,
}

/// How long a log stays without a word.
const INTERVAL: Duration = Duration::from_secs(10);

impl RerunProgress {
    /// Both stay away whenever `hidden` says so. `runs` is how many are asked for.
    pub fn new(verbosity: Verbosity, hidden: bool, runs: u32) -> Self {
        let silent = hidden || verbosity == Verbosity::Quiet;
        let heartbeat =
            (!silent && !io::stderr().is_terminal()).then(|| Heartbeat::every(INTERVAL, u64::from(runs)));
        let target = if silent { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{prefix:<9} {bar:24} {pos}/{len}  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━╸ "));
        bar.set_prefix("rerunning");
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar, verbosity, seen: BTreeMap::new(), runs: 0, heartbeat }
    }

    fn ran(&mut self, run: &Run, at_most: u32) {
        self.runs += 1;
        for result in &run.results {
            let (passed, failed) = self.seen.entry(result.id.clone()).or_default();
            *passed |= result.outcome == Outcome::Passed;
            *failed |= result.outcome == Outcome::Failed;
        }
        self.bar.set_length(u64::from(at_most).max(self.runs));
        self.bar.set_position(self.runs);
        self.bar.set_message(format!("{} · {}", self.found(), escape_controls(&run.condition.to_string())));
        if let Some(heartbeat) = &self.heartbeat {
            let at_most = u64::from(at_most).max(self.runs);
            heartbeat.update(Progress { runs: self.runs, at_most, found: self.found() });
        }
    }

    fn found(&self) -> String {
        let flaky = self.seen.values().filter(|(passed, failed)| *passed && *failed).count();
        let broken = self.seen.values().filter(|(passed, failed)| !passed && *failed).count();
        let tests = counted(self.seen.len(), "test");
        format!("{tests} · {flaky} flaky · {broken} failing")
    }
}

impl Reporter for RerunProgress {
    fn name(&self) -> &'static str {
        "the terminal"
    }

    fn on_event(&mut self, envelope: &Envelope) -> io::Result<()> {
        match &envelope.event {
            Event::CommandFinished { run, at_most } => {
                self.ran(run, *at_most);
                if self.verbosity == Verbosity::Verbose {
                    let line = format!("run {} ({}): {}", run.number, run.condition, run.ending);
                    self.bar.suspend(|| eprint_line(&escape_controls(&line)));
                }
            }
            Event::Warning { message } => self.bar.suspend(|| eprint_line(&render_warning(message))),
            Event::Note { message } if self.verbosity > Verbosity::Quiet => {
                self.bar.suspend(|| eprint_line(&note_line(message)));
            }
            Event::RunFinished { .. } => {
                self.heartbeat = None;
                self.bar.finish_and_clear();
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.bar.finish_and_clear();
        Ok(())
    }
}
