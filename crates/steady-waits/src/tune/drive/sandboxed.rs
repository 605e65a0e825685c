//! Runs of the tests in a copy of the project.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use steady_exec::{Executor, Sandbox, Selection, StateDir};
use steady_model::rerun::{Condition, Ending, Perturbation, Run, TestId};

use super::super::Outcome;
use super::watch::{Watched, is_stopped, said};
use super::{Project, Tell, TuneError, TuneEvent};

/// The tests of a project, run in a copy of it.
pub(super) struct SandboxedTests<'a> {
    project: &'a Project<'a>,
    executor: Executor<'a>,
    sandbox: Sandbox,
    state_dir: StateDir,
    started: Instant,
    noted: BTreeSet<String>,
    /// The only tests that are run.
    select: Option<Vec<TestId>>,
    /// What the first run that failed said.
    pub complaint: Option<String>,
}

impl<'a> SandboxedTests<'a> {
    pub fn new(project: &'a Project<'a>) -> Result<Self, TuneError> {
        let started = Instant::now();
        let state_dir = StateDir::open(project.state)?;
        let sandbox = Sandbox::of_sources(project.folder, &state_dir, project.cancel)?;
        Ok(Self {
            project,
            executor: Executor::new(project.test_command(), sandbox.path()),
            sandbox,
            state_dir,
            started,
            noted: BTreeSet::new(),
            select: None,
            complaint: None,
        })
    }

    /// The text of a file of the project, as it is in the copy now.
    pub fn text(&self, path: &Path) -> Result<String, TuneError> {
        Ok(self.sandbox.read(path)?)
    }

    /// Puts a text in the place of a file of the copy.
    pub fn stage(&self, path: &Path, text: &str) -> Result<(), TuneError> {
        Ok(self.sandbox.write(path, text)?)
    }

    /// Whether the runner tells of every test.
    pub fn is_known(&self) -> bool {
        self.executor.runner().runner.is_known()
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
        let possible = || self.executor.runner().selecting(self.state_dir.folder(), tests).is_ok();
        self.select = (wanted && possible()).then(|| tests.to_vec());
    }

    /// Runs the command once; `None` when it was ended from outside.
    pub fn run(&mut self, loaded: bool, tell: Tell<'_>) -> Result<Option<Run>, TuneError> {
        let condition = if loaded { busy() } else { Condition::default() };
        let selection = self.select.as_deref().map_or(Selection::All, Selection::Only);
        let finished = self.executor.run(&self.state_dir, &condition, selection, self.project.cancel)?;
        for message in finished.notes {
            // What is wrong in one run is wrong in all.
            if self.noted.insert(message.clone()) {
                tell(TuneEvent::Note { message });
            }
        }
        Ok(Some(finished.run).filter(|run| !is_stopped(run)))
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
