//! One run at a time, for callers that decide what runs next.

use std::path::{Path, PathBuf};

use steady_model::rerun::Condition;
use steady_process::{Cancel, spawn};
use steady_runners::{Project, Recognised, recognise};

use crate::command::TestCommand;
use crate::error::ExecError;
use crate::finished::FinishedRun;
use crate::prepare::Job;
use crate::record::{RecordError, Recorder};
use crate::selection::{RunPlan, Selection};
use crate::state_dir::StateDir;

/// A test command in a folder; each call runs it once.
#[derive(Debug)]
pub struct Executor<'a> {
    command: TestCommand<'a>,
    runner: Recognised,
    folder: PathBuf,
    recorder: Option<Recorder>,
    runs: u32,
}

impl<'a> Executor<'a> {
    /// The command, to be run in `folder`.
    pub fn new(command: TestCommand<'a>, folder: &Path) -> Self {
        let runner = recognise(command.words, &Project::at(folder));
        Self { command, runner, folder: folder.to_owned(), recorder: None, runs: 0 }
    }

    /// The same with a recorder of its tests' HTTP exchanges, which is built in the state folder.
    pub fn recording(mut self, state_dir: &StateDir, cancel: &Cancel) -> Result<Self, ExecError> {
        let home = state_dir.fresh(0, "recorder")?;
        self.recorder = Some(Recorder::build(&self.command, &self.runner, home, cancel)?);
        Ok(self)
    }

    /// The runner that the command starts.
    pub fn runner(&self) -> &Recognised {
        &self.runner
    }

    /// Why a run has no recorded exchange.
    pub fn no_exchange(&self, finished: &FinishedRun) -> Option<RecordError> {
        Some(self.recorder.as_ref()?.no_exchange(finished))
    }

    /// Runs the tests under a condition. A load lasts as long as the run.
    pub fn run(
        &mut self,
        state_dir: &StateDir,
        condition: &Condition,
        selection: Selection<'_>,
        cancel: &Cancel,
    ) -> Result<FinishedRun, ExecError> {
        let job = Job {
            command: self.command,
            runner: &self.runner,
            state_dir,
            folder: &self.folder,
            number: 0,
            shares_folder: false,
            recorder: self.recorder.as_ref(),
        };
        let plan = RunPlan { selection, ..RunPlan::new(self.runs + 1, condition) };
        let prepared = job.prepare(&plan)?;
        let load = prepared.start_load();
        let finished = spawn(&prepared.spec)?.wait(cancel);
        drop(load);
        self.runs += 1;
        prepared.finish(&finished)
    }
}
