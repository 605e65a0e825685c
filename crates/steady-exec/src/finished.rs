//! A run that has ended.

use steady_model::rerun::{Condition, Ending, Run, TestResult};
use steady_process::{Exit, Finished};

use crate::record::Recording;

/// The end of a command's output that is kept of every run.
const EXCERPT: usize = 4_000;

/// The result of one run of the command.
#[derive(Debug, Clone)]
pub struct FinishedRun {
    /// The run, with the outcome of each test.
    pub run: Run,
    /// What could not be read, and why.
    pub notes: Vec<String>,
    /// The recorded exchanges; empty without a recorder.
    pub recording: Recording,
    /// Whether the preload shim reached a program of the command, where the condition needs it.
    pub shim_reached: bool,
}

/// The [`Run`] record of a finished command.
pub(crate) fn run_of(
    number: u32,
    condition: Condition,
    finished: &Finished,
    results: Vec<TestResult>,
) -> Run {
    let text = finished.output.text();
    let start = text.len().saturating_sub(EXCERPT);
    let excerpt = text.char_indices().map(|(at, _)| at).find(|at| *at >= start).map_or("", |at| &text[at..]);
    Run {
        number,
        condition,
        ending: ending(finished.exit),
        milliseconds: finished.duration.as_secs_f64() * 1000.0,
        results,
        excerpt: excerpt.to_owned(),
    }
}

fn ending(exit: Exit) -> Ending {
    match exit {
        Exit::Code(code) => Ending::Exited(code),
        Exit::Signal(signal) => Ending::Signalled(signal),
        Exit::TimedOut => Ending::TimedOut,
        Exit::Stopped => Ending::Stopped,
    }
}
