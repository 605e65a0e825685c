//! Where the tests of a project are run.

use std::path::Path;

use steady_exec::{Executor, FinishedRun, RecordError, Sandbox, Selection, StateDir};
use steady_model::rerun::Condition;

use super::project::{CodeError, CodeProject};

/// Runs all tests of a project and records their exchanges: a [`SandboxRunner`], or what a test scripts.
pub(super) trait CodeRunner {
    /// Gives a file of the project another text.
    fn write(&mut self, path: &Path, text: &str) -> Result<(), CodeError>;

    /// Runs all tests under a condition.
    fn run(&mut self, condition: &Condition) -> Result<FinishedRun, CodeError>;

    /// Why a run has no exchange, where that is not as it should be.
    fn no_exchange(&self, finished: &FinishedRun) -> Option<RecordError>;
}

/// Runs the project's command in a copy of it, with a recorder attached.
pub(super) struct SandboxRunner<'a> {
    project: &'a CodeProject<'a>,
    executor: Executor<'a>,
    sandbox: Sandbox,
    state_dir: StateDir,
}

impl<'a> SandboxRunner<'a> {
    /// Copies the project and builds the recorder.
    pub fn new(project: &'a CodeProject<'a>) -> Result<Self, CodeError> {
        let state_dir = StateDir::open(project.state)?;
        let sandbox = Sandbox::of_sources(project.folder, &state_dir, project.cancel)?;
        let executor = Executor::new(project.test_command(), sandbox.path());
        let executor = executor.recording(&state_dir, project.cancel)?;
        Ok(Self { project, executor, sandbox, state_dir })
    }
}

impl CodeRunner for SandboxRunner<'_> {
    fn write(&mut self, path: &Path, text: &str) -> Result<(), CodeError> {
        Ok(self.sandbox.write(path, text)?)
    }

    fn run(&mut self, condition: &Condition) -> Result<FinishedRun, CodeError> {
        Ok(self.executor.run(&self.state_dir, condition, Selection::All, self.project.cancel)?)
    }

    fn no_exchange(&self, finished: &FinishedRun) -> Option<RecordError> {
        self.executor.no_exchange(finished)
    }
}
