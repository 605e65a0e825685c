//! What records the exchanges of a command's tests.

use std::path::{Path, PathBuf};

use steady_process::Cancel;
use steady_runners::{Invocation, Project, Recognised, Variable};

use super::error::RecordError;
use super::read::{Recording, read};
use super::recorded::Unanswered;
use super::recorders::{self, Hook};
use crate::command::TestCommand;
use crate::finished::FinishedRun;

/// Says where the recorder writes.
const FOLDER_VARIABLE: &str = "STEADY_RECORD";
/// Says where the project is, as a path without links.
const ROOT_VARIABLE: &str = "STEADY_RECORD_ROOT";

/// Records the HTTP exchanges of a test command whose runner is known. It serves any number of runs.
#[derive(Debug, Clone)]
pub struct Recorder {
    hook: &'static dyn Hook,
    home: PathBuf,
}

/// A recording under way.
#[derive(Debug)]
pub(crate) struct PendingRecording {
    exchanges: PathBuf,
    project: PathBuf,
}

impl Recorder {
    /// Builds what the recorder needs in `home`, an empty folder that has to stay as long as runs go on.
    pub fn build(
        command: &TestCommand<'_>,
        runner: &Recognised,
        home: PathBuf,
        cancel: &Cancel,
    ) -> Result<Self, RecordError> {
        let supported = recorders::supported();
        if !runner.runner.is_known() {
            return Err(RecordError::NotRecognised { command: command.words.join(" "), supported });
        }
        let runner = runner.runner.name();
        let hook = recorders::of(runner).ok_or(RecordError::NotSupported { runner, supported })?;
        hook.build(command, &home, cancel)?;
        Ok(Self { hook, home })
    }

    /// Adds the recorder to a command that reports already; what it sees in `project` goes to `exchanges`, an empty folder.
    pub(crate) fn attach(
        &self,
        invocation: &mut Invocation,
        exchanges: PathBuf,
        project: &Path,
    ) -> Result<PendingRecording, RecordError> {
        self.hook.attach(invocation, &self.home)?;
        let root = Project::at(project).root().to_owned();
        for (name, path) in [(FOLDER_VARIABLE, &exchanges), (ROOT_VARIABLE, &root)] {
            invocation.variables.insert(name, Variable::Set(path.display().to_string()));
        }
        Ok(PendingRecording { exchanges, project: project.to_owned() })
    }

    /// Explains why tests ran and nothing was recorded.
    pub fn no_exchange(&self, finished: &FinishedRun) -> RecordError {
        let FinishedRun { run, recording, .. } = finished;
        if run.results.is_empty() {
            return RecordError::no_tests(run);
        }
        match recording.unanswered.first() {
            Some(Unanswered { url, error }) => RecordError::Unreachable {
                requests: recording.unanswered.len(),
                url: url.clone(),
                error: error.clone(),
            },
            None => RecordError::NoExchange {
                runner: self.hook.runner(),
                tests: run.results.len(),
                sees: self.hook.sees(),
            },
        }
    }
}

impl PendingRecording {
    /// Reads what was recorded, after the run's end.
    pub(crate) fn read(&self) -> Result<Recording, RecordError> {
        read(&self.exchanges, &self.project)
    }
}
