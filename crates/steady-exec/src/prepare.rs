//! One run of the command, ready to be started.

use std::path::Path;

use steady_model::rerun::{Condition, TestResult};
use steady_preload::Control;
use steady_process::{Finished, Spec, Stream};
use steady_results::{Base, ReadError, Snapshot, SourceError, Sources};
use steady_runners::{Invocation, Order, Recognised, Source};

use crate::apply::apply;
use crate::command::TestCommand;
use crate::error::ExecError;
use crate::finished::{FinishedRun, run_of};
use crate::load::Load;
use crate::order;
use crate::overrides::Overrides;
use crate::perturb::{overrides, vary_hash_seeds};
use crate::record::{PendingRecording, Recorder, Recording};
use crate::selection::{RunPlan, Selection};
use crate::state_dir::{StateDir, StateDirError};

/// The note of a run whose programs the shim did not reach.
const NOT_REACHED: &str =
    "the shim reached no program of the command: clock, random and latency say nothing about its tests";
/// With its middle dropped, a report would show passed tests as failed.
const TOO_MUCH: &str = "the command prints more than is kept, so its results cannot be read from there: let it write \
    them to a file, and name that with `--results GLOB`";
/// What stands for a job's number.
const JOB: &str = "{job}";
/// Go reports every line a test prints.
const OUTPUT_LIMIT: usize = 64 << 20;

/// All that is needed to prepare runs of one job.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// What is run.
    pub command: TestCommand<'a>,
    /// The runner of the command.
    pub runner: &'a Recognised,
    /// Where steady's own files are.
    pub state_dir: &'a StateDir,
    /// The folder it runs in.
    pub folder: &'a Path,
    /// The number of the job.
    pub number: usize,
    /// Whether other jobs run in the same folder at the same time.
    pub shares_folder: bool,
    /// Records the HTTP exchanges of its tests.
    pub recorder: Option<&'a Recorder>,
}

/// A run, ready to be started.
#[derive(Debug)]
pub struct PreparedRun {
    /// What to start.
    pub spec: Spec,
    number: u32,
    condition: Condition,
    load: Option<u32>,
    base: Base,
    files: Sources,
    /// The files that were there before, of earlier runs.
    before: Snapshot,
    /// Whether results may be in what the command prints.
    printed: bool,
    /// Whether the user said where results are.
    named: bool,
    recording: Option<PendingRecording>,
    /// Controls the shim while the run lasts.
    control: Option<Control>,
}

impl Job<'_> {
    /// Prepares a run.
    pub fn prepare(&self, plan: &RunPlan<'_>) -> Result<PreparedRun, ExecError> {
        let mut overrides = overrides(plan.condition);
        vary_hash_seeds(&mut overrides, plan.number);
        let invocation = self.invocation(plan, &overrides)?;
        self.ready(plan, invocation, &overrides)
    }

    /// The command with the tests and their order in it.
    fn invocation(&self, plan: &RunPlan<'_>, overrides: &Overrides) -> Result<Invocation, ExecError> {
        let folder = self.state_dir.fresh(self.number, "inject")?;
        let (mut invocation, tests) = match plan.selection {
            Selection::All => (self.runner.invocation(&folder), plan.known),
            Selection::Only(tests) => (self.runner.selecting(&folder, tests)?, tests),
            Selection::InOrder(tests) => {
                let mut invocation = self.runner.selecting(&folder, tests)?;
                self.runner.runner.order(&mut invocation, Order::Listed(tests))?;
                return Ok(invocation);
            }
        };
        if let Some(seed) = overrides.order {
            order::shuffle(self.runner, &mut invocation, tests, seed)?;
        } else if let Some(tests) = plan.keep_order {
            order::keep(self.runner, &mut invocation, tests);
        }
        Ok(invocation)
    }

    fn ready(
        &self,
        plan: &RunPlan<'_>,
        mut invocation: Invocation,
        overrides: &Overrides,
    ) -> Result<PreparedRun, ExecError> {
        let sources = if self.command.results.is_empty() {
            let folder = self.state_dir.fresh(self.number, "results")?;
            self.runner.runner.report(&mut invocation, &folder).sources
        } else {
            let own = |pattern: &String| pattern.replace(JOB, &self.number.to_string());
            self.command.results.iter().map(|pattern| Source::Files(own(pattern))).collect()
        };
        self.check_shared(&sources)?;
        let recording = match self.recorder {
            Some(recorder) => {
                let folder = self.state_dir.fresh(self.number, "exchanges")?;
                Some(recorder.attach(&mut invocation, folder, self.folder)?)
            }
            None => None,
        };
        invocation.write_files().map_err(|source| StateDirError::of(self.state_dir.folder(), source))?;
        let mut spec = self.command.spec(&invocation, self.folder);
        if let Some(threads) = overrides.load {
            spec = spec.beside_busy_threads(threads);
        }
        let (mut spec, control) = apply(spec, overrides, self.state_dir, self.number)?;
        let base = Base::new(self.folder);
        let files = Sources::new(sources.iter().filter_map(|source| match source {
            Source::Files(pattern) => Some(pattern.as_str()),
            Source::Output => None,
        }))?;
        let before = files.snapshot(&base);
        let printed = sources.contains(&Source::Output);
        if printed {
            spec = spec.output_limit(OUTPUT_LIMIT);
        }
        Ok(PreparedRun {
            spec,
            number: plan.number,
            condition: plan.condition.clone(),
            load: overrides.load,
            base,
            files,
            before,
            printed,
            named: !self.command.results.is_empty(),
            recording,
            control,
        })
    }

    /// Fails where concurrent runs would write the same files.
    fn check_shared(&self, sources: &[Source]) -> Result<(), ExecError> {
        if !self.shares_folder {
            return Ok(());
        }
        let shared = sources.iter().find_map(|source| match source {
            Source::Files(pattern) if !Path::new(pattern).starts_with(self.state_dir.folder()) => {
                Some(pattern)
            }
            Source::Files(_) | Source::Output => None,
        });
        let apart = self.command.results.iter().any(|pattern| pattern.contains(JOB));
        match shared {
            Some(pattern) if !apart => Err(ExecError::SharedResults { pattern: pattern.clone() }),
            _ => Ok(()),
        }
    }
}

impl PreparedRun {
    /// Starts the load that the run's condition asks for, to be held until the run ends.
    pub fn start_load(&self) -> Option<Load> {
        self.load.map(Load::per_core)
    }

    /// Reads what the run left, after its end.
    pub fn finish(&self, finished: &Finished) -> Result<FinishedRun, ExecError> {
        let (results, mut notes) = self.results(finished);
        let recording = match &self.recording {
            Some(pending) => pending.read()?,
            None => Recording::default(),
        };
        notes.extend(recording.notes.iter().cloned());
        let shim_reached = self.control.as_ref().is_none_or(|control| control.programs() > 0);
        if !shim_reached {
            notes.push(NOT_REACHED.to_owned());
        }
        let run = run_of(self.number, self.condition.clone(), finished, results);
        Ok(FinishedRun { run, notes, recording, shim_reached })
    }

    /// The outcomes of the tests, and what could not be read.
    fn results(&self, finished: &Finished) -> (Vec<TestResult>, Vec<String>) {
        let collected = self.files.collect(&self.base, &self.before);
        // If the user named no files, missing files of steady's own need no note.
        let is_news = |note: &&SourceError| {
            self.named || !matches!(note, SourceError::Missing { .. } | SourceError::Stale { .. })
        };
        let mut notes: Vec<String> =
            collected.notes.iter().filter(is_news).map(ToString::to_string).collect();
        let mut results = collected.results;
        if results.is_empty() && self.printed && finished.output.dropped(Stream::Stdout) > 0 {
            notes.push(TOO_MUCH.to_owned());
        } else if results.is_empty() && self.printed {
            match steady_results::read(&finished.output.bytes(Stream::Stdout), &self.base) {
                Ok(printed) => results = printed,
                Err(ReadError::Empty | ReadError::Unknown) => {}
                Err(error) => notes.push(format!("what the command prints: {error}")),
            }
        }
        (results, notes)
    }
}
