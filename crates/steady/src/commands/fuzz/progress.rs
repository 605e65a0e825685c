//! The progress bar of a run, on stderr.

use std::io;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use steady_model::{Envelope, Event, Phase};

use crate::diagnostic::render_warning;
use crate::events::Reporter;
use crate::ui::{Verbosity, counted, eprint_line, escape_controls, grouped, note_line};

/// Shows where a run stands, and warnings as they come.
pub struct ProgressReporter {
    bar: ProgressBar,
    limit: Option<Duration>,
    verbosity: Verbosity,
    hidden: bool,
    search_began: Option<Instant>,
}

impl ProgressReporter {
    /// `limit` is how long the search lasts, if time limits it. The bar stays away when stderr is no terminal or
    /// stdout carries JSON, and indeed whenever `hidden` says so.
    pub fn new(limit: Option<Duration>, verbosity: Verbosity, hidden: bool) -> Self {
        let target = if hidden || verbosity == Verbosity::Quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(style(limit.is_some()));
        Self { bar, limit, verbosity, hidden, search_began: None }
    }

    fn print_line(&self, line: &str) {
        // The bar is on the same stream: it steps aside while a line is printed.
        self.bar.suspend(|| eprint_line(line));
    }

    fn phase_started(&mut self, phase: Phase) {
        match phase {
            Phase::Search => {
                self.search_began = Some(Instant::now());
                if let Some(limit) = self.limit {
                    self.bar.set_length(limit.as_millis().try_into().unwrap_or(u64::MAX));
                }
                self.bar.set_prefix("searching");
            }
            Phase::Recheck => {
                self.bar.set_style(style(false));
                self.bar.set_prefix("re-checking");
                self.bar.enable_steady_tick(Duration::from_millis(120));
            }
            Phase::Stabilize => self.bar.set_prefix("stabilizing"),
            Phase::Write => self.bar.set_prefix("writing"),
        }
    }

    fn progress(&self, requests: u64, successful: usize, operations: usize, faults: usize) {
        let elapsed = self.search_began.map_or(Duration::ZERO, |began| began.elapsed());
        if self.limit.is_some() {
            self.bar.set_position(elapsed.as_millis().try_into().unwrap_or(u64::MAX));
        }
        self.bar.set_message(status_line(requests, elapsed, successful, operations, faults));
    }
}

fn style(bounded: bool) -> ProgressStyle {
    let template =
        if bounded { "{prefix:<11} {bar:24} {percent:>3} %  {msg}" } else { "{prefix:<11} {spinner} {msg}" };
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("━╸ ")
}

/// `1,234 requests (617/s) · 12/14 operations reached · 3 faults`
fn status_line(
    requests: u64,
    elapsed: Duration,
    successful: usize,
    operations: usize,
    faults: usize,
) -> String {
    let seconds = elapsed.as_secs_f64().max(0.001);
    let rate = (requests as f64 / seconds).round() as u64;
    format!(
        "{} requests ({}/s) · {successful}/{operations} operations reached · {}",
        grouped(requests),
        grouped(rate),
        counted(faults, "fault")
    )
}

/// `Looking for flaky values for up to 60 s: 34 tests, 6 runs`
fn detection_line(seconds: f64, tests: usize, runs: u32) -> String {
    let (tests, runs) = (counted(tests, "test"), counted(runs as usize, "run"));
    // One digit after the point only where it says something.
    let seconds = (seconds * 10.0).round() / 10.0;
    format!("Looking for flaky values for up to {seconds} s: {tests}, {runs}")
}

impl Reporter for ProgressReporter {
    fn name(&self) -> &'static str {
        "the terminal"
    }

    fn on_event(&mut self, envelope: &Envelope) -> io::Result<()> {
        match &envelope.event {
            Event::Progress { requests, successful, operations, faults } => {
                self.progress(*requests, *successful, *operations, *faults);
            }
            Event::PhaseStarted { phase } => self.phase_started(*phase),
            Event::DetectionStarted { seconds: Some(seconds), tests, runs }
                if self.verbosity > Verbosity::Quiet && !self.hidden =>
            {
                self.print_line(&detection_line(*seconds, *tests, *runs));
            }
            Event::Warning { message } => self.print_line(&render_warning(message)),
            Event::Note { message } if self.verbosity > Verbosity::Quiet => {
                self.print_line(&note_line(message));
            }
            Event::OperationSkipped { operation, reason } if self.verbosity > Verbosity::Quiet => {
                let reason = format!("{operation} is skipped: {reason}");
                self.print_line(&render_warning(&reason));
            }
            Event::StatusReached { operation, status } if self.verbosity == Verbosity::Verbose => {
                self.print_line(&escape_controls(&format!("{status} {operation}")));
            }
            Event::FaultFound { fault } if self.verbosity == Verbosity::Verbose => {
                let line = format!("{} {}: {}", fault.code, fault.operation, fault.summary);
                self.print_line(&escape_controls(&line));
            }
            Event::RunFinished { .. } => self.bar.finish_and_clear(),
            _ => {}
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.bar.finish_and_clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detection_says_beforehand_how_long_it_may_take() {
        assert_eq!(detection_line(60.0, 34, 6), "Looking for flaky values for up to 60 s: 34 tests, 6 runs");
        assert_eq!(detection_line(1.5, 1, 1), "Looking for flaky values for up to 1.5 s: 1 test, 1 run");
    }

    #[test]
    fn the_status_line_counts_requests_operations_and_faults() {
        assert_eq!(
            status_line(1234, Duration::from_secs(2), 12, 14, 1),
            "1,234 requests (617/s) · 12/14 operations reached · 1 fault"
        );
    }
}
