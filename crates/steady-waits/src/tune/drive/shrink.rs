//! Shortens the waits of a whole suite.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use steady_model::rerun::{Outcome as TestOutcome, Run, TestId};
use steady_stats::{Counts, Sample};

use super::super::{Settings, ShrinkPlan, Strategy, Verdict};
use super::sandboxed::SandboxedTests;
use super::search::watching;
use super::watch::{Watched, file_of, is_of, is_unexplained};
use super::{Bound, Comparison, PatchError, Project, Shrunk, ShrunkWait, Tell, TuneError, TuneEvent};

/// The runs of the suite as it is, at least.
const BASELINE: u64 = 5;

/// A wait that every run pays for.
#[derive(Clone, Copy)]
pub struct ShrinkTarget<'a> {
    /// Its file, relative to the project.
    pub path: &'a Path,
    /// Its line, from 1.
    pub line: usize,
    /// Its column, from 1.
    pub column: usize,
    /// How long it is, in milliseconds.
    pub ms: u64,
    /// The titles of the tests that it is in; none: all tests of the file have to pass.
    pub tests: &'a [String],
    /// Whether a negative assertion follows it: that its test passes without it says nothing then.
    pub precedes_negative_assertion: bool,
    /// The text of the file as it is given, with this wait so many milliseconds long. Other waits of the file may have other
    /// values by then, on the lines they had.
    pub patch: &'a dyn Fn(&str, u64) -> Result<String, PatchError>,
    /// What is run of its file when all its waits have their values: it may be without what they left without a use.
    pub tidy: &'a dyn Fn(String) -> String,
}

/// Looks for shorter values for the sleeps of a plan; see [`shrink`].
pub fn shrink_plan(
    project: &Project<'_>,
    plan: &ShrinkPlan<'_>,
    settings: &Settings,
    tell: Tell<'_>,
) -> Result<Shrunk, TuneError> {
    let patches: Vec<_> =
        plan.sleeps.iter().map(|sleep| move |text: &str, ms: u64| sleep.with_value(text, ms)).collect();
    let tidies: Vec<_> = plan.sleeps.iter().map(|sleep| move |text: String| sleep.tidied(text)).collect();
    let edits = patches.iter().zip(&tidies);
    let targets: Vec<ShrinkTarget<'_>> = plan
        .sleeps
        .iter()
        .zip(edits)
        .map(|(sleep, (patch, tidy))| ShrinkTarget {
            path: &sleep.file.path,
            line: sleep.line,
            column: sleep.column,
            ms: sleep.ms,
            tests: &sleep.tests,
            precedes_negative_assertion: sleep.precedes_negative_assertion,
            patch,
            tidy,
        })
        .collect();
    shrink(project, &targets, settings, tell)
}

/// Looks for shorter values for waits, and runs those that were found together.
///
/// Tests that fail before anything is changed do not count, nor do tests that fail later without a shorter wait in their file. A wait
/// whose test fails when all are run together gets a longer value, at last its old one, and all are run together anew. Runs are bounded by
/// [`Settings::most`], time by [`Project::time`], of which up to a half is kept for the runs together; what could not be verified is said.
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
        column: wait.column,
        before: wait.ms,
        after: wait.ms,
        verdict: None,
        withdrawn: false,
        runs: 0,
    };
    let tests = SandboxedTests::new(project)?;
    let mut originals = BTreeMap::new();
    for wait in waits {
        originals.insert(wait.path, tests.text(wait.path)?);
    }
    let mut suite = Suite {
        tests,
        settings,
        shrunk: order.iter().map(untried).collect(),
        staged: order.iter().map(|wait| wait.ms).collect(),
        watched: Vec::new(),
        waits: order,
        originals,
        counting: BTreeSet::new(),
        flaky: BTreeSet::new(),
        fails_anyway: false,
        runs: 0,
        before: Vec::new(),
        after: Vec::new(),
    };
    suite.look(tell)?;
    suite.search(tell)?;
    let together = suite.together(tell)?;
    Ok(suite.finish(together))
}

/// The next value for a wait that did not hold among the others: half as much again, if that is still worth it.
fn longer(after: u64, before: u64) -> Option<u64> {
    let longer = (after + after.div_ceil(2)).max(before / 4);
    (longer > after && longer <= before / 4 * 3).then_some(longer)
}

/// A suite on its way to shorter waits.
pub(super) struct Suite<'a> {
    pub tests: SandboxedTests<'a>,
    pub settings: &'a Settings,
    /// The longest first.
    pub waits: Vec<&'a ShrinkTarget<'a>>,
    /// What became of each.
    pub shrunk: Vec<ShrunkWait>,
    /// Which tests tell of each; known when the suite was run as it is.
    pub watched: Vec<Watched>,
    /// The values that are in the copy.
    staged: Vec<u64>,
    /// The files as they were.
    originals: BTreeMap<&'a Path, String>,
    /// The tests that passed in every run of the suite as it was; none: the exit code counts.
    pub counting: BTreeSet<TestId>,
    flaky: BTreeSet<TestId>,
    /// Whether the command failed without a failed test before anything was changed: then that means nothing later.
    fails_anyway: bool,
    pub runs: u64,
    /// How long the command took.
    before: Vec<f64>,
    after: Vec<f64>,
}

impl Suite<'_> {
    /// Whether no further run may be made.
    pub fn is_over(&self) -> bool {
        self.tests.is_over() || self.left() == Some(0)
    }

    /// Whether the time that is left is needed for the runs together.
    pub fn is_search_over(&self) -> bool {
        let typical = Sample::new(self.before.iter().copied()).map_or(0.0, |sample| sample.median());
        let together = Duration::from_secs_f64(typical * self.settings.runs as f64 / 1000.0);
        self.is_over() || self.tests.has_to_keep(together)
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
            let Some(run) = self.tests.run(false, tell)? else { break };
            self.runs += 1;
            self.before.push(run.milliseconds);
            self.fails_anyway |= is_unexplained(&run);
            if self.runs == 1 {
                // Fails here if the command runs no test.
                Watched::find(&run, Path::new(""), None, self.tests.is_known())?;
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
        let waits = self.waits.iter();
        self.watched = waits.map(|wait| watching(&self.counting, wait.path, wait.tests)).collect();
        if self.counting.is_empty() && !self.flaky.is_empty() {
            let output = self.flaky.iter().map(TestId::as_str).collect::<Vec<_>>().join("\n");
            return Err(TuneError::AlwaysFails { runs: self.runs, longest: self.longest(), output });
        }
        Ok(())
    }

    fn longest(&self) -> u64 {
        self.waits.iter().map(|wait| wait.ms).max().unwrap_or(0)
    }

    /// Whether a run failed and no test says why, as it did not before.
    pub fn is_unexplained(&self, run: &Run) -> bool {
        !self.fails_anyway && is_unexplained(run)
    }

    /// Puts these values into the copy, those that are not there yet.
    pub fn stage(&mut self, values: &[u64]) -> Result<(), TuneError> {
        let places = || self.waits.iter().zip(values);
        let changed: BTreeSet<&Path> = places()
            .zip(&self.staged)
            .filter(|((_, value), staged)| value != staged)
            .map(|((wait, _), _)| wait.path)
            .collect();
        for path in changed {
            let mut waits: Vec<(&&ShrinkTarget<'_>, u64)> = places()
                .filter(|(wait, value)| wait.path == path && wait.ms != **value)
                .map(|(wait, value)| (wait, *value))
                .collect();
            // From the end: a shorter number moves what follows it on its line.
            waits.sort_by_key(|(wait, _)| std::cmp::Reverse((wait.line, wait.column)));
            let mut text = self.originals.get(path).cloned().unwrap_or_default();
            let tidy = waits.first().map(|(wait, _)| wait.tidy);
            for (wait, ms) in waits {
                text = (wait.patch)(&text, ms).map_err(|source| TuneError::Patch {
                    path: path.to_owned(),
                    ms,
                    source,
                })?;
            }
            if let Some(tidy) = tidy {
                text = tidy(text);
            }
            self.tests.stage(path, &text)?;
        }
        self.staged = values.to_vec();
        Ok(())
    }

    /// Runs all shorter waits together as often as was asked; a wait that does not hold among the others is taken back.
    fn together(&mut self, tell: Tell<'_>) -> Result<Option<Counts>, TuneError> {
        self.tests.narrow(&[]);
        loop {
            let shorter = self.shrunk.iter().filter(|wait| wait.after < wait.before).count();
            if shorter == 0 {
                return Ok(None);
            }
            tell(TuneEvent::TogetherStarted { waits: shorter, runs: self.settings.runs });
            self.after.clear();
            let values: Vec<u64> = self.shrunk.iter().map(|wait| wait.after).collect();
            self.stage(&values)?;
            let mut counts = Counts::default();
            while counts.failed == 0 && counts.passed < self.settings.runs && !self.is_over() {
                let Some(run) = self.tests.run(false, tell)? else { break };
                self.runs += 1;
                let failed = self.failed(&run);
                let passed = failed.is_empty() && !self.is_unexplained(&run);
                counts.observe(passed);
                tell(TuneEvent::TogetherFinished { passed, milliseconds: run.milliseconds });
                if !passed && failed.is_empty() {
                    // Nobody knows which wait to take back: none of them is verified.
                    return Ok(Some(counts));
                }
                if failed.is_empty() {
                    self.after.push(run.milliseconds);
                } else {
                    self.withdraw(&failed);
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

    /// Takes back the waits that tests which failed are to tell of, step by step; else those in their files, else those in files without tests of
    /// their own. If there are none, no shorter wait made the tests fail: they are flaky, and do not count any more.
    fn withdraw(&mut self, failed: &[TestId]) {
        let is_shorter = |at: &usize| self.shrunk[*at].after < self.shrunk[*at].before;
        let shorter: Vec<usize> = (0..self.shrunk.len()).filter(is_shorter).collect();
        let is_in =
            |test: &TestId, at: usize| file_of(test).is_some_and(|file| is_of(file, &self.shrunk[at].path));
        let watched = |at: &usize| match &self.watched[*at] {
            Watched::Tests(tests) => tests.iter().any(|test| failed.contains(test)),
            Watched::ExitCode => true,
        };
        let concerned = |at: &usize| failed.iter().any(|test| is_in(test, *at));
        let shared = |at: &usize| !self.counting.iter().any(|test| is_in(test, *at));
        let own = |at: &usize| watched(at) && !shared(at);
        let some = |which: &dyn Fn(&usize) -> bool| -> Vec<usize> {
            shorter.iter().copied().filter(|at| which(at)).collect()
        };
        let choices = [some(&own), some(&concerned), some(&shared)];
        let back = choices.into_iter().find(|choice| !choice.is_empty()).unwrap_or_default();
        if back.is_empty() {
            self.counting.retain(|test| !failed.contains(test));
            self.flaky.extend(failed.iter().cloned());
        }
        for at in back {
            let wait = &mut self.shrunk[at];
            let longer = longer(wait.after, wait.before);
            (wait.after, wait.withdrawn) = (longer.unwrap_or(wait.before), longer.is_none());
        }
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
        // A search that was ended for the sake of the runs together has come to what it could.
        let unfinished = self.is_over() && self.shrunk.iter().any(|wait| undecided(wait.verdict));
        Shrunk {
            together: together.map(|counts| Bound::of(counts, confidence)),
            verified,
            shorter_by: self.shrunk.iter().map(|wait| wait.before - wait.after).sum(),
            times,
            flaky: self.flaky.iter().map(|test| test.as_str().to_owned()).collect(),
            runs: self.runs,
            seconds: self.tests.seconds(),
            interrupted: unfinished || !verified,
            waits: self.shrunk,
        }
    }
}
