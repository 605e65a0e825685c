//! One run at a time, for whoever decides itself what is run next.

use std::path::{Path, PathBuf};

use steady_model::rerun::{Condition, Run, TestId};
use steady_perturb::Workshop;
use steady_process::{Cancel, JobError, spawn};
use steady_runners::{Project, Recognised, recognise};

use super::RerunError;
use super::ended::run_of;
use super::load::Load;
use super::prepare::{Bench, Call, Wanted};

/// A test command in a folder, run once whenever it is asked for.
#[derive(Debug)]
pub struct Single<'a> {
    call: Call<'a>,
    runner: Recognised,
    place: PathBuf,
    runs: u32,
}

impl<'a> Single<'a> {
    /// The command, to be run in `place`.
    pub fn new(call: Call<'a>, place: &Path) -> Self {
        let runner = recognise(call.command, &Project::at(place));
        Self { call, runner, place: place.to_owned(), runs: 0 }
    }

    /// The runner that the command starts.
    pub fn runner(&self) -> &Recognised {
        &self.runner
    }

    /// Runs all tests, or the selected ones, under a condition; also says what could not be read of the results. A
    /// load is held as long as the run takes.
    pub fn run(
        &mut self,
        workshop: &Workshop,
        condition: &Condition,
        select: Option<&[TestId]>,
        cancel: &Cancel,
    ) -> Result<(Run, Vec<String>), RerunError> {
        let bench = Bench { call: self.call, runner: &self.runner, workshop, place: &self.place, job: 0 };
        let prepared = bench.prepare(&Wanted {
            condition,
            number: self.runs + 1,
            select,
            known: &[],
            kept_order: None,
        })?;
        let load = prepared.surroundings.load.map(Load::per_core);
        let finished = spawn(&prepared.spec).map_err(JobError::from)?.wait(cancel);
        drop(load);
        self.runs += 1;
        let (results, notes) = prepared.results(&finished);
        Ok((run_of(self.runs, condition.clone(), &finished, results), notes))
    }
}
