//! One run of the command, from start to end.

use std::path::Path;

use steady_model::rerun::{Outcome, TestResult};
use steady_process::{Cancel, Exit, spawn};

use crate::command::TestCommand;
use crate::error::RecordError;
use crate::recorded::{Failure, Recorded, Unanswered};
use crate::recorder::Recorder;

/// What one run of the command left.
#[derive(Debug, Clone)]
pub struct RecordedRun {
    /// Every exchange, by test and then in the order they were asked for.
    pub exchanges: Vec<Recorded>,
    /// Where tests failed, as far as their runner's recorder tells.
    pub failures: Vec<Failure>,
    /// The requests that nobody answered.
    pub unanswered: Vec<Unanswered>,
    /// What each test came to, as its runner reports it.
    pub results: Vec<TestResult>,
    /// How the command ended; with failing tests that is no success.
    pub exit: Exit,
    /// The end of what the command printed.
    pub excerpt: String,
    /// What could not be read, and why.
    pub notes: Vec<String>,
}

impl RecordedRun {
    /// The tests with this outcome.
    pub fn tests(&self, outcome: Outcome) -> impl Iterator<Item = &TestResult> {
        self.results.iter().filter(move |result| result.outcome == outcome)
    }
}

/// Runs the command once, with a recorder attached. `home` is a folder for steady's own files, made where needed.
///
/// Failing tests are no error. A run without a test, or whose tests made no exchange that was seen, is one: there is nothing to look at.
pub fn record(command: &TestCommand<'_>, home: &Path, cancel: &Cancel) -> Result<RecordedRun, RecordError> {
    let recorder = Recorder::attach(command, &home.join("recorder"), cancel)?;
    let prepared = recorder.prepare(command, &home.join("run"))?;
    let finished = spawn(&prepared.spec)?.wait(cancel);
    let run = prepared.collect(&finished)?;
    if run.results.is_empty() {
        return Err(RecordError::NoTests { exit: run.exit, excerpt: run.excerpt });
    }
    if run.exchanges.is_empty() {
        return Err(recorder.no_exchange(&run));
    }
    Ok(run)
}
