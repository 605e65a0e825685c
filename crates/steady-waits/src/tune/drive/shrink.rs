//! Shortens the waits of a whole suite.

use std::collections::BTreeSet;
use std::path::Path;

use steady_model::rerun::{Outcome as TestOutcome, Run, TestId};
use steady_stats::{Counts, Sample};

use super::super::{Outcome, Settings, Strategy, Tuner, Verdict};
use super::rehearsal::Rehearsal;
use super::watch::{Watched, file_of, is_of};
use super::{Bound, Comparison, PatchError, Project, Shrunk, ShrunkWait, Tell, TuneError, TuneEvent};

/// The runs of the suite as it is, at least.
const BASELINE: u64 = 5;
/// How often a shorter value has to pass before the next wait is tried: in the end all are run together as often as was asked.
const ALONE: u64 = 20;

/// A wait that every run pays for.
#[derive(Clone, Copy)]
pub struct ShrinkTarget<'a> {
    /// Its file, relative to the project.
    pub path: &'a Path,
    /// Its line, from 1.
    pub line: usize,
    /// How long it is, in milliseconds.
    pub ms: u64,
    /// The text of the file as it is given, with this wait so many milliseconds long. Other waits of the file may have other
    /// values by then, on the lines they had.
    pub patch: &'a dyn Fn(&str, u64) -> Result<String, PatchError>,
}

/// Looks for shorter values for waits, the longest first, and runs those that were found together.
///
/// Tests that fail before anything is changed do not count, nor do tests that fail later without a shorter wait in their file. A wait
/// whose test fails when all are run together keeps its old value, and the others are run together anew. Runs are bounded by [`Settings::most`], time by [`Project::time`]; what could not be verified is said.
pub fn shrink(
    project: &Project<'_>,
    waits: &[ShrinkTarget<'_>],
    settings: &Settings,
    tell: Tell<'_>,
) -> Result<Shrunk, TuneError> {
    let mut order: Vec<&ShrinkTarget<'_>> = waits.iter().collect();
    order.sort_by_key(|wait| std::cmp::Reverse(wait.ms));
    let untried = |wait: &&ShrinkTarget<'_>| ShrunkWait {
        path: wait.path.to_owned(),
        line: wait.line,
        before: wait.ms,
        after: wait.ms,
        verdict: None,
        withdrawn: false,
        runs: 0,
    };
    let mut suite = Suite {
        rehearsal: Rehearsal::new(project)?,
        settings,
        shrunk: order.iter().map(untried).collect(),
        waits: order,
        counting: BTreeSet::new(),
        flaky: BTreeSet::new(),
        runs: 0,
        before: Vec::new(),
        after: Vec::new(),
    };
    suite.look(tell)?;
    for index in 0..suite.waits.len() {
        if suite.is_over() {
            break;
        }
        suite.shorten(index, tell)?;
    }
    let together = suite.together(tell)?;
    Ok(suite.finish(together))
}

/// A suite on its way to shorter waits.
struct Suite<'a> {
    rehearsal: Rehearsal<'a>,
    settings: &'a Settings,
    waits: Vec<&'a ShrinkTarget<'a>>,
    /// What became of each.
    shrunk: Vec<ShrunkWait>,
    /// The tests that passed in every run of the suite as it was; none: the exit code counts.
    counting: BTreeSet<TestId>,
    flaky: BTreeSet<TestId>,
    runs: u64,
    /// How long the command took.
    before: Vec<f64>,
    after: Vec<f64>,
}

impl Suite<'_> {
    fn is_over(&self) -> bool {
        self.rehearsal.is_over() || self.left() == Some(0)
    }

    /// The runs that may still be made.
    fn left(&self) -> Option<u64> {
        self.settings.most.map(|most| most.saturating_sub(self.runs))
    }

    /// Runs the suite as it is, to know which tests count and how long it takes.
    fn look(&mut self, tell: Tell<'_>) -> Result<(), TuneError> {
        let candidates = Vec::new();
        tell(TuneEvent::Started { strategy: Strategy::Shrink, before: None, candidates });
        for _ in 0..BASELINE {
            if self.is_over() {
                break;
            }
            let Some(run) = self.rehearsal.run(false, tell)? else { break };
            self.runs += 1;
            self.before.push(run.milliseconds);
            if self.runs == 1 {
                // Fails here if the command runs no test.
                Watched::find(&run, Path::new(""), None, self.rehearsal.is_known())?;
            }
            let of = |wanted| run.results.iter().filter(move |result| result.outcome == wanted);
            self.counting.extend(of(TestOutcome::Passed).map(|result| result.id.clone()));
            self.flaky.extend(of(TestOutcome::Failed).map(|result| result.id.clone()));
            if run.results.is_empty() && !run.ending.is_success() {
                let output = run.excerpt.clone();
                return Err(TuneError::AlwaysFails { runs: self.runs, longest: self.longest(), output });
            }
        }
        self.counting.retain(|test| !self.flaky.contains(test));
        if self.counting.is_empty() && !self.flaky.is_empty() {
            let output = self.flaky.iter().map(TestId::as_str).collect::<Vec<_>>().join("\n");
            return Err(TuneError::AlwaysFails { runs: self.runs, longest: self.longest(), output });
        }
        Ok(())
    }

    fn longest(&self) -> u64 {
        self.waits.iter().map(|wait| wait.ms).max().unwrap_or(0)
    }

    /// Looks for a shorter value of one wait; what was found for others stays in place.
    fn shorten(&mut self, index: usize, tell: Tell<'_>) -> Result<(), TuneError> {
        let wait = self.waits[index];
        let original = self.rehearsal.text(wait.path)?;
        let watched = self.watched(wait.path);
        self.rehearsal.narrow(watched.tests());
        tell(TuneEvent::WaitStarted { path: wait.path.to_owned(), line: wait.line, ms: wait.ms });
        let settings = Settings {
            strategy: Strategy::Shrink,
            before: Some(wait.ms),
            baseline: 0,
            runs: ALONE.min(self.settings.runs),
            most: self.left(),
            ..self.settings.clone()
        };
        let mut tuner = Tuner::new(&settings, &[]);
        let mut last = None;
        while let Some(trial) = tuner.next_trial() {
            let ms = trial.ms;
            self.rehearsal.stage(wait.path, &patched(wait, &original, ms)?)?;
            if last.replace(trial) != Some(trial) {
                tell(TuneEvent::TrialStarted { ms, why: trial.why });
            }
            let observed =
                if self.is_over() { None } else { self.rehearsal.observe(&watched, false, tell)? };
            let Some(outcome) = observed else {
                tuner.give_up();
                continue;
            };
            self.runs += 1;
            let Outcome { passed, milliseconds } = outcome;
            tell(TuneEvent::RunFinished { ms, passed, milliseconds, loaded: false });
            if let Some(decided) = tuner.absorb(ms, outcome) {
                tell(TuneEvent::ValueDecided(decided));
            }
        }
        let verdict = tuner.verdict().unwrap_or(Verdict::Unfinished { best: None });
        tell(TuneEvent::Finished(verdict));
        let held = if let Verdict::Held { ms } = verdict { ms } else { wait.ms };
        self.rehearsal.stage(wait.path, &patched(wait, &original, held)?)?;
        let shrunk = &mut self.shrunk[index];
        (shrunk.after, shrunk.verdict, shrunk.runs) = (held, Some(verdict), tuner.effort().executions);
        Ok(())
    }

    /// The tests that tell whether a wait in this file is long enough: those of the file, or all when it has none.
    fn watched(&self, path: &Path) -> Watched {
        let of_file = |test: &&TestId| file_of(test).is_some_and(|file| is_of(file, path));
        let tests: Vec<TestId> = self.counting.iter().filter(of_file).cloned().collect();
        match (tests.is_empty(), self.counting.is_empty()) {
            (false, _) => Watched::Tests(tests),
            (true, false) => Watched::Tests(self.counting.iter().cloned().collect()),
            (true, true) => Watched::ExitCode,
        }
    }

    /// Runs all shorter waits together as often as was asked; a wait that does not hold among the others is taken back.
    fn together(&mut self, tell: Tell<'_>) -> Result<Option<Counts>, TuneError> {
        self.rehearsal.narrow(&[]);
        loop {
            let shorter = self.shrunk.iter().filter(|wait| wait.after < wait.before).count();
            if shorter == 0 {
                return Ok(None);
            }
            tell(TuneEvent::TogetherStarted { waits: shorter, runs: self.settings.runs });
            self.after.clear();
            let mut counts = Counts::default();
            while counts.failed == 0 && counts.passed < self.settings.runs && !self.is_over() {
                let Some(run) = self.rehearsal.run(false, tell)? else { break };
                self.runs += 1;
                let failed = self.failed(&run);
                counts.observe(failed.is_empty());
                tell(TuneEvent::TogetherFinished {
                    passed: failed.is_empty(),
                    milliseconds: run.milliseconds,
                });
                if failed.is_empty() {
                    self.after.push(run.milliseconds);
                } else {
                    self.withdraw(&failed)?;
                }
            }
            if counts.failed == 0 || self.is_over() {
                // A failure took back what failed: nothing was run since.
                return Ok(Some(if counts.failed == 0 { counts } else { Counts::default() }));
            }
        }
    }

    /// The tests that count and did not pass; the command itself where no test tells.
    fn failed(&self, run: &Run) -> Vec<TestId> {
        let passed = |id: &&TestId| {
            run.results.iter().any(|result| result.id == **id && result.outcome == TestOutcome::Passed)
        };
        if self.counting.is_empty() && !run.ending.is_success() {
            return vec![TestId::from("")];
        }
        self.counting.iter().filter(|id| !passed(id)).cloned().collect()
    }

    /// Takes back the waits in the files of tests that failed, else those in files without tests of their own. If there are none, no
    /// shorter wait made the tests fail: they are flaky, and do not count any more.
    fn withdraw(&mut self, failed: &[TestId]) -> Result<(), TuneError> {
        let is_shorter = |at: &usize| self.shrunk[*at].after < self.shrunk[*at].before;
        let shorter: Vec<usize> = (0..self.shrunk.len()).filter(is_shorter).collect();
        let is_in =
            |test: &TestId, at: usize| file_of(test).is_some_and(|file| is_of(file, &self.shrunk[at].path));
        let concerned = |at: &usize| failed.iter().any(|test| is_in(test, *at));
        let shared = |at: &usize| !self.counting.iter().any(|test| is_in(test, *at));
        let mut back: Vec<usize> = shorter.iter().copied().filter(concerned).collect();
        if back.is_empty() {
            back = shorter.into_iter().filter(shared).collect();
        }
        if back.is_empty() {
            self.counting.retain(|test| !failed.contains(test));
            self.flaky.extend(failed.iter().cloned());
        }
        for at in back {
            let wait = self.waits[at];
            let text = self.rehearsal.text(wait.path)?;
            self.rehearsal.stage(wait.path, &patched(wait, &text, wait.ms)?)?;
            (self.shrunk[at].after, self.shrunk[at].withdrawn) = (wait.ms, true);
        }
        Ok(())
    }

    fn finish(self, together: Option<Counts>) -> Shrunk {
        let confidence = self.settings.confidence;
        let times = match (Sample::new(self.before.iter().copied()), Sample::new(self.after.iter().copied()))
        {
            (Ok(before), Ok(after)) => Some(Comparison::of(&before, &after, confidence)),
            _ => None,
        };
        let verified =
            together.is_none_or(|counts| counts.passed >= self.settings.runs && counts.failed == 0);
        let undecided = |verdict| matches!(verdict, None | Some(Verdict::Unfinished { .. }));
        let unfinished = self.shrunk.iter().any(|wait| undecided(wait.verdict));
        Shrunk {
            together: together.map(|counts| Bound::of(counts, confidence)),
            verified,
            shorter_by: self.shrunk.iter().map(|wait| wait.before - wait.after).sum(),
            times,
            flaky: self.flaky.iter().map(|test| test.as_str().to_owned()).collect(),
            runs: self.runs,
            seconds: self.rehearsal.seconds(),
            interrupted: unfinished || !verified,
            waits: self.shrunk,
        }
    }
}

fn patched(wait: &ShrinkTarget<'_>, text: &str, ms: u64) -> Result<String, TuneError> {
    (wait.patch)(text, ms).map_err(|source| TuneError::Patch { path: wait.path.to_owned(), ms, source })
}
