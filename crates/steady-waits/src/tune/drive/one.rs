//! Tunes one wait.

use steady_stats::Counts;

use super::super::{Attempt, Settings, Tuner, Verdict, Why, paper, with_margin};
use super::loaded::under_load;
use super::sandboxed::SandboxedTests;
use super::watch::Watched;
use super::{Bound, Comparison, Project, Target, Tell, TuneError, TuneEvent, Tuned};

/// The runs with longer waits after which a test counts as one that always fails.
const PATIENCE: u64 = 3;

/// Finds the right value for a wait: runs its test in a copy of the project, with one value after the other.
///
/// Candidates are tried in their order. The user's files are not touched. When the project's stop is requested, what runs is ended and
/// what is known so far is returned.
pub fn tune(
    project: &Project<'_>,
    target: &Target<'_>,
    settings: &Settings,
    candidates: &[u64],
    tell: Tell<'_>,
) -> Result<Tuned, TuneError> {
    let tests = SandboxedTests::new(project)?;
    let original = tests.text(target.path)?;
    let mut session = Session {
        tests,
        target,
        original,
        tuner: Tuner::new(settings, candidates),
        watched: None,
        staged: None,
        attempt: None,
        values: Vec::new(),
    };
    tell(TuneEvent::Started {
        strategy: settings.strategy,
        before: settings.before,
        candidates: candidates.to_vec(),
    });
    session.search(tell)?;
    if session.tuner.verdict() == Some(Verdict::NoneHeld) {
        session.insist(tell)?;
    }
    session.finish(settings, candidates, tell)
}

/// One wait on its way to a value.
struct Session<'a> {
    tests: SandboxedTests<'a>,
    target: &'a Target<'a>,
    original: String,
    tuner: Tuner,
    /// The tests that count; known after the first run.
    watched: Option<Watched>,
    /// The value that is in the copy; `None`: the file as it was.
    staged: Option<u64>,
    attempt: Option<Attempt>,
    values: Vec<super::super::Decided>,
}

impl Session<'_> {
    /// Makes the runs the tuner asks for, until it asks for no more or none may be made.
    fn search(&mut self, tell: Tell<'_>) -> Result<(), TuneError> {
        while let Some(attempt) = self.tuner.next_trial() {
            if self.tests.is_over() || !self.run(attempt, tell)? {
                self.tuner.give_up();
            }
        }
        Ok(())
    }

    /// Makes one run; says whether it came to its end.
    fn run(&mut self, attempt: Attempt, tell: Tell<'_>) -> Result<bool, TuneError> {
        let Attempt { ms, why } = attempt;
        self.stage((why != Why::Baseline).then_some(ms))?;
        if self.attempt.replace(attempt) != Some(attempt) {
            tell(TuneEvent::AttemptStarted { ms, why });
        }
        let Some(run) = self.tests.run(false, tell)? else { return Ok(false) };
        let watched = match self.watched.take() {
            Some(watched) => watched,
            None => {
                let known = self.tests.is_known();
                let watched = Watched::find(&run, self.target.path, self.target.test, known)?;
                self.tests.narrow(watched.tests());
                watched
            }
        };
        let outcome = watched.outcome(&run);
        self.tests.hear(&run, &watched, outcome);
        self.watched = Some(watched);
        let (passed, milliseconds) = (outcome.passed, outcome.milliseconds);
        tell(TuneEvent::RunFinished { ms, passed, milliseconds, loaded: false });
        if let Some(decided) = self.tuner.absorb(ms, outcome) {
            self.values.push(decided);
            tell(TuneEvent::ValueDecided(decided));
        }
        Ok(true)
    }

    fn stage(&mut self, ms: Option<u64>) -> Result<(), TuneError> {
        let path = self.target.path;
        if self.staged == ms {
            return Ok(());
        }
        match ms {
            None => self.tests.stage(path, &self.original)?,
            Some(ms) => {
                let text = (self.target.patch)(ms).map_err(|source| TuneError::Patch {
                    path: path.to_owned(),
                    ms,
                    source,
                })?;
                self.tests.stage(path, &text)?;
            }
        }
        self.staged = ms;
        Ok(())
    }

    /// No candidate held: gives the longest a few more chances before the test is said to fail always.
    fn insist(&mut self, tell: Tell<'_>) -> Result<(), TuneError> {
        let evidence = self.tuner.evidence();
        let hopeless = evidence.never_passed() && self.tuner.effort().candidates > 0;
        let Some(longest) = evidence.longest_failed().filter(|_| hopeless) else {
            return Ok(());
        };
        let Some(watched) = self.watched.clone() else { return Ok(()) };
        let mut runs = evidence.runs();
        self.stage(Some(longest))?;
        for _ in self.tuner.effort().executions..PATIENCE {
            if self.tests.is_over() {
                return Ok(());
            }
            let Some(outcome) = self.tests.observe(&watched, false, tell)? else { return Ok(()) };
            let (passed, milliseconds) = (outcome.passed, outcome.milliseconds);
            tell(TuneEvent::RunFinished { ms: longest, passed, milliseconds, loaded: false });
            runs += 1;
            if passed {
                return Ok(());
            }
        }
        let output = self.tests.complaint.clone().unwrap_or_default();
        Err(TuneError::AlwaysFails { runs, longest, output })
    }

    fn finish(mut self, settings: &Settings, candidates: &[u64], tell: Tell<'_>) -> Result<Tuned, TuneError> {
        let verdict = self.tuner.verdict().unwrap_or(Verdict::Unfinished { best: None });
        let after = match verdict {
            Verdict::Held { ms } | Verdict::Kept { ms } => Some(ms),
            _ => None,
        };
        let interrupted = matches!(verdict, Verdict::Unfinished { .. }) && self.tests.is_over();
        let proposed = after.map(|ms| with_margin(ms, settings.margin));
        let watched = self.watched.take();
        let loaded = match (after.zip(proposed), &watched) {
            (Some((held, ms)), Some(watched)) if self.target.loaded > 0 => {
                under_load(&mut self.tests, self.target, watched, held, ms, tell)?
            }
            _ => None,
        };
        let evidence = self.tuner.evidence();
        let before = settings.before.unwrap_or(0);
        let bound = |ms: u64| {
            let own = evidence.counts(ms);
            let passed = evidence.supporting(ms).max(own.passed);
            Bound::of(Counts { passed, failed: own.failed }, settings.confidence)
        };
        let times = after.filter(|after| *after != before).and_then(|after| {
            let (before, after) = (evidence.times(before)?, evidence.times(after)?);
            Some(Comparison::of(&before, &after, settings.confidence))
        });
        let tuned = Tuned {
            verdict,
            tests: watched.as_ref().map(|watched| watched.tests().to_vec()).unwrap_or_default(),
            before: settings.before,
            after,
            proposed,
            bound: after.map(bound),
            baseline: Bound::of(evidence.counts(before), settings.confidence),
            times,
            loaded,
            effort: self.tuner.effort(),
            paper: after.and_then(|held| {
                paper(settings.strategy, settings.before, candidates, held, settings.threshold)
            }),
            values: self.values,
            seconds: self.tests.seconds(),
            interrupted,
        };
        tell(TuneEvent::Finished(verdict));
        Ok(tuned)
    }
}
