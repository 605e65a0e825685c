//! Shows the values of `steady waits tune` as they are tried.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use steady_waits::tune::drive::TuneEvent;

use super::tune::{decided_line, found_line, purpose};
use crate::ui::{Verbosity, counted, duration, eprint_line, escape_controls, print};

/// A bar on stderr for the runs of a value, and a line on stdout for every value that was decided.
pub struct TuneProgress {
    bar: ProgressBar,
    verbosity: Verbosity,
    runs: u64,
    failed: u64,
    shown: String,
    /// Which of several waits the events are about, and how long it is.
    concerned: Option<(String, u64)>,
}

impl TuneProgress {
    /// The bar stays away when stderr is no terminal.
    pub fn new(verbosity: Verbosity) -> Self {
        let target = match verbosity {
            Verbosity::Quiet => ProgressDrawTarget::hidden(),
            _ => ProgressDrawTarget::stderr(),
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{spinner} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar, verbosity, runs: 0, failed: 0, shown: String::new(), concerned: None }
    }

    /// Shows what happened.
    pub fn on_event(&mut self, event: &TuneEvent) {
        match event {
            TuneEvent::AttemptStarted { ms, why } if self.concerned.is_none() => {
                (self.runs, self.failed) = (0, 0);
                self.shown = format!("{} ({})", duration(*ms), purpose(*why));
            }
            TuneEvent::RunFinished { passed, .. } if self.concerned.is_none() => {
                self.runs += 1;
                self.failed += u64::from(!passed);
            }
            TuneEvent::ValueDecided(decided) => match &self.concerned {
                None => self.print_line(&decided_line(decided)),
                Some((place, _)) if self.verbosity == Verbosity::Verbose => {
                    self.print_line(&format!("{place} {}", decided_line(decided)));
                }
                Some(_) => {}
            },
            TuneEvent::Concerning { path, line, ms } => {
                self.concerned = Some((escape_controls(&format!("{}:{line}", path.display())), *ms));
            }
            TuneEvent::RoundStarted { waits } => {
                self.shown = format!("{} at once", counted(*waits, "wait"));
                self.runs += 1;
            }
            TuneEvent::Finished(verdict) => {
                if let Some((place, ms)) = &self.concerned {
                    self.print_line(&found_line(place, *ms, *verdict));
                }
            }
            TuneEvent::TogetherStarted { waits, runs } => {
                (self.runs, self.failed) = (0, 0);
                self.shown = format!("all {waits} shorter waits together, {runs} runs");
            }
            TuneEvent::TogetherFinished { passed, .. } => {
                self.runs += 1;
                self.failed += u64::from(!passed);
            }
            TuneEvent::Note { message } => {
                self.bar.suspend(|| eprint_line(&escape_controls(&format!("note: {message}"))));
            }
            TuneEvent::Started { .. } => "the tests as they are".clone_into(&mut self.shown),
            TuneEvent::AttemptStarted { .. } | TuneEvent::RunFinished { .. } => {}
        }
        let failed = if self.failed > 0 { format!(", {} failed", self.failed) } else { String::new() };
        self.bar.set_message(format!("{}: run {}{failed}", self.shown, self.runs + 1));
    }

    /// A line that stays. A reader that closed the pipe gets no more.
    fn print_line(&self, line: &str) {
        if self.verbosity > Verbosity::Quiet {
            let _ = self.bar.suspend(|| print(line));
        }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}
