//! Shows the values of `steady waits tune` as they are tried.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use steady_waits::tune::drive::TuneEvent;

use super::candidates_table::duration;
use super::tune_report::{decided_line, purpose};
use super::{Verbosity, escape_controls, print, talk};

/// A bar on stderr for the runs of a value, and a line on stdout for every value that was decided.
pub struct TuneProgress {
    bar: ProgressBar,
    verbosity: Verbosity,
    runs: u64,
    failed: u64,
    shown: String,
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
        Self { bar, verbosity, runs: 0, failed: 0, shown: String::new() }
    }

    /// Shows what happened.
    pub fn hear(&mut self, event: &TuneEvent) {
        match event {
            TuneEvent::TrialStarted { ms, why } => {
                (self.runs, self.failed) = (0, 0);
                self.shown = format!("{} ({})", duration(*ms), purpose(*why));
            }
            TuneEvent::RunFinished { passed, .. } => {
                self.runs += 1;
                self.failed += u64::from(!passed);
            }
            TuneEvent::ValueDecided(decided) => self.say(&decided_line(decided)),
            TuneEvent::WaitStarted { path, line, ms } => {
                let place = escape_controls(&format!("{}:{line}", path.display()));
                self.say(&format!("{place}, {}\n", duration(*ms)));
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
                self.bar.suspend(|| talk(&escape_controls(&format!("note: {message}"))));
            }
            TuneEvent::Started { .. } => {}
            TuneEvent::Finished(_) => self.bar.set_message(""),
        }
        let failed = if self.failed > 0 { format!(", {} failed", self.failed) } else { String::new() };
        self.bar.set_message(format!("{}: run {}{failed}", self.shown, self.runs + 1));
    }

    /// A line that stays. Whoever reads stdout no longer is not told more.
    fn say(&self, line: &str) {
        if self.verbosity > Verbosity::Quiet {
            let _ = self.bar.suspend(|| print(line));
        }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}
