//! Runs of the tests in a copy of the project.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

use steady_model::rerun::{Condition, Ending, Perturbation, Run, TestId};
use steady_perturb::Workshop;
use steady_process::Isolation;
use steady_rerun::drive::{Call, Single};

use super::super::Outcome;
use super::watch::{Watched, is_stopped, said};
use super::{Project, Tell, TuneError, TuneEvent};

/// Folders that are installed rather than written: the copy shares them.
const SHARED: [&str; 3] = ["node_modules", ".venv", "venv"];

/// A copy of a project and its test command.
pub(super) struct Rehearsal<'a> {
    project: &'a Project<'a>,
    workshop: Workshop,
    copy: PathBuf,
    single: Single<'a>,
    started: Instant,
    noted: BTreeSet<String>,
    /// The only tests that are run.
    select: Option<Vec<TestId>>,
    /// What the first run that failed said.
    pub complaint: Option<String>,
}

impl<'a> Rehearsal<'a> {
    pub fn new(project: &'a Project<'a>) -> Result<Self, TuneError> {
        let started = Instant::now();
        let (workshop, copy) = copied(project)?;
        let call = Call {
            command: project.command,
            variables: project.variables,
            results: project.results,
            timeout: project.timeout,
            shared: false,
        };
        let single = Single::new(call, &copy);
        Ok(Self {
            project,
            workshop,
            copy,
            single,
            started,
            noted: BTreeSet::new(),
            select: None,
            complaint: None,
        })
    }

    /// The text of a file of the project, as it is in the copy now.
    pub fn text(&self, path: &Path) -> Result<String, TuneError> {
        let place = self.place(path)?;
        fs::read_to_string(&place).map_err(|source| TuneError::File { path: path.to_owned(), source })
    }

    /// Puts a text into the copy.
    pub fn stage(&self, path: &Path, text: &str) -> Result<(), TuneError> {
        let place = self.place(path)?;
        fs::write(&place, text).map_err(|source| TuneError::File { path: path.to_owned(), source })
    }

    /// Where a file is in the copy; a path that leads out of it is refused, or the original would be written.
    fn place(&self, path: &Path) -> Result<PathBuf, TuneError> {
        let inside = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let place = self.copy.join(path);
        let real =
            place.canonicalize().map_err(|source| TuneError::File { path: path.to_owned(), source })?;
        let copy = self.copy.canonicalize().unwrap_or_else(|_| self.copy.clone());
        if inside && real.starts_with(&copy) {
            Ok(real)
        } else {
            Err(TuneError::Outside { path: path.to_owned() })
        }
    }

    /// Whether the runner tells of every test.
    pub fn is_known(&self) -> bool {
        self.single.runner().runner.is_known()
    }

    /// Whether no further run may be started.
    pub fn is_over(&self) -> bool {
        let late = self.project.time.is_some_and(|time| self.started.elapsed() >= time);
        late || self.project.cancel.is_requested()
    }

    /// Whether what is left of the time has to be kept for something that needs so much of it.
    pub fn has_to_keep(&self, needed: Duration) -> bool {
        let elapsed = self.started.elapsed();
        self.project.time.is_some_and(|time| is_kept(time, elapsed, needed))
    }

    /// Since the copy was made.
    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Runs only these tests from now on, if that was wished for and the runner can.
    pub fn narrow(&mut self, tests: &[TestId]) {
        let wanted = self.project.narrow && !tests.is_empty();
        let possible = || self.single.runner().selecting(self.workshop.folder(), tests).is_ok();
        self.select = (wanted && possible()).then(|| tests.to_vec());
    }

    /// Runs the command once; `None` when it was ended from outside.
    pub fn run(&mut self, loaded: bool, tell: Tell<'_>) -> Result<Option<Run>, TuneError> {
        let condition = if loaded { busy() } else { Condition::default() };
        let select = self.select.clone();
        let (run, notes) =
            self.single.run(&self.workshop, &condition, select.as_deref(), self.project.cancel)?;
        for message in notes {
            // What is wrong in one run is wrong in all.
            if self.noted.insert(message.clone()) {
                tell(TuneEvent::Note { message });
            }
        }
        Ok(Some(run).filter(|run| !is_stopped(run)))
    }

    /// Runs the command once and says how the tests fared that count; remembers what the first failure said.
    pub fn observe(
        &mut self,
        watched: &Watched,
        loaded: bool,
        tell: Tell<'_>,
    ) -> Result<Option<Outcome>, TuneError> {
        let Some(run) = self.run(loaded, tell)? else { return Ok(None) };
        let outcome = watched.outcome(&run);
        self.hear(&run, watched, outcome);
        Ok(Some(outcome))
    }

    /// Remembers what the first failure said.
    pub fn hear(&mut self, run: &Run, watched: &Watched, outcome: Outcome) {
        if !outcome.passed {
            self.complaint.get_or_insert_with(|| complaint(run, watched));
        }
    }
}

/// What a run that failed said, and how it ended where no test tells.
fn complaint(run: &Run, watched: &Watched) -> String {
    let said = said(run, watched.tests());
    let said = if said.is_empty() { "it printed nothing".to_owned() } else { said };
    match run.ending {
        Ending::TimedOut => format!("{said}\nit took too long and was ended"),
        ending if run.results.is_empty() => format!("{said}\nit ended with {ending}"),
        _ => said,
    }
}

/// A copy of a project, in a folder that goes with the workshop.
pub(super) fn copied(project: &Project<'_>) -> Result<(Workshop, PathBuf), TuneError> {
    let workshop = Workshop::open(project.state)?;
    let copy = workshop.fresh(0, "copy")?;
    let read = |source| TuneError::File { path: project.folder.to_owned(), source };
    let isolation = Isolation::copy(project.folder).map_err(read)?.skip(".git");
    SHARED.into_iter().fold(isolation, Isolation::link).copy_to(&copy, project.cancel)?;
    Ok((workshop, copy))
}

/// Whether the rest of the time is kept for what comes last: that gets what it needs, and at most a half.
fn is_kept(time: Duration, elapsed: Duration, needed: Duration) -> bool {
    elapsed >= time / 2 && time.saturating_sub(elapsed) < needed
}

/// Two threads per core do other work.
fn busy() -> Condition {
    Condition::of(Perturbation::Load, "2 per core")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_last_gets_the_time_it_needs_and_at_most_a_half() {
        let is_kept = |time, elapsed, needed| {
            let [time, elapsed, needed] = [time, elapsed, needed].map(Duration::from_secs);
            is_kept(time, elapsed, needed)
        };
        // The last ten seconds of a hundred.
        assert!(!is_kept(100, 60, 10) && !is_kept(100, 90, 10) && is_kept(100, 91, 10));
        // It would need more than all: a half.
        assert!(!is_kept(100, 49, 500) && is_kept(100, 50, 500));
        // It needs nothing, or nothing is left.
        assert!(!is_kept(100, 99, 0) && is_kept(100, 101, 1));
    }
}
