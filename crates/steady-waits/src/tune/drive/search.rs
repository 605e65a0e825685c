//! Looks for shorter values of many waits at once.
//!
//! A run tells of every test, so waits that are watched by different tests are tried in the same runs, each with a value of its own: a
//! suite takes about as many runs as the test with the most waits.

use std::collections::BTreeSet;
use std::path::Path;

use steady_model::rerun::{Run, TestId};

use super::super::{Attempt, Outcome, Settings, Strategy, Tuner, Verdict, with_margin};
use super::shrink::Suite;
use super::watch::{Watched, file_of, is_of, is_titled};
use super::{Tell, TuneError, TuneEvent};

/// How often a shorter value has to pass before the wait is left: in the end all are run together as often as was asked.
const ALONE: u64 = 20;
/// The runs that the way to a value may take: others are tried in them too, so that a value which fails seldom is worth a longer one.
const SEARCH: u64 = 60;

/// A wait that is looked at.
struct Lane {
    /// Its place among the waits.
    wait: usize,
    tuner: Tuner,
    /// What it is to be run with.
    attempt: Option<Attempt>,
    /// Whether that was told.
    told: bool,
}

impl Suite<'_> {
    /// Looks for a shorter value of every wait, the longest first, as many at once as their tests allow.
    pub(super) fn search(&mut self, tell: Tell<'_>) -> Result<(), TuneError> {
        let mut untried: Vec<usize> = (0..self.waits.len()).collect();
        let mut lanes: Vec<Lane> = Vec::new();
        // How many parts the waits are split into, and whose turn it is: one of them made a run fail and no test says which.
        let (mut parts, mut turn) = (1, 0);
        loop {
            let is_over = self.is_search_over();
            if !is_over {
                self.admit(&mut untried, &mut lanes, tell);
            }
            let known = lanes.len();
            self.advance(&mut lanes, is_over, tell);
            if lanes.is_empty() && (is_over || untried.is_empty()) {
                return Ok(());
            }
            if lanes.len() < known {
                continue;
            }
            let size = lanes.len().div_ceil(parts);
            let first = (turn * size) % lanes.len();
            let last = (first + size).min(lanes.len());
            let Some(run) = self.round(&mut lanes[first..last], tell)? else {
                self.advance(&mut lanes, true, tell);
                return Ok(());
            };
            let is_unexplained = self.is_unexplained(&run);
            if is_unexplained && last - first > 1 {
                (parts, turn) = (parts * 2, turn * 2);
                continue;
            }
            for lane in &mut lanes[first..last] {
                self.absorb(lane, &run, tell);
            }
            (parts, turn) = if is_unexplained || turn + 1 >= parts { (1, 0) } else { (parts, turn + 1) };
        }
    }

    /// Begins with the waits that no test of another wait watches.
    fn admit(&self, untried: &mut Vec<usize>, lanes: &mut Vec<Lane>, tell: Tell<'_>) {
        let mut taken: BTreeSet<&TestId> =
            lanes.iter().flat_map(|lane| self.watched[lane.wait].tests()).collect();
        untried.retain(|&wait| {
            let tests = self.watched[wait].tests();
            let free =
                lanes.is_empty() || (!tests.is_empty() && tests.iter().all(|test| !taken.contains(test)));
            if free {
                taken.extend(tests);
                let settings = Settings {
                    strategy: Strategy::Shrink,
                    before: Some(self.waits[wait].ms),
                    baseline: 0,
                    runs: ALONE.min(self.settings.runs),
                    search: self.settings.search.or(Some(SEARCH)),
                    ..self.settings.clone()
                };
                self.concerning(wait, tell);
                lanes.push(Lane { wait, tuner: Tuner::new(&settings, &[]), attempt: None, told: false });
            }
            !free
        });
    }

    /// Asks for the next values; waits that need no more runs, or get none, are done.
    fn advance(&mut self, lanes: &mut Vec<Lane>, is_over: bool, tell: Tell<'_>) {
        let has_time = !self.is_over();
        lanes.retain_mut(|lane| {
            if is_over {
                lane.tuner.give_up();
            }
            let next = lane.tuner.next_trial();
            lane.told &= next == lane.attempt;
            lane.attempt = next;
            if next.is_some() {
                return true;
            }
            let verdict = lane.tuner.verdict().unwrap_or(Verdict::Unfinished { best: None });
            let shrunk = &mut self.shrunk[lane.wait];
            let held = match verdict {
                Verdict::Held { ms: 0 } if self.waits[lane.wait].precedes_negative_assertion => shrunk.before,
                Verdict::Held { ms } => ms,
                // The runs together have yet to verify it, and there is time for them.
                Verdict::Unfinished { best: Some(ms) } if has_time => ms,
                _ => shrunk.before,
            };
            shrunk.after = with_margin(held, self.settings.margin).min(shrunk.before);
            (shrunk.verdict, shrunk.runs) = (Some(verdict), lane.tuner.effort().executions);
            self.concerning(lane.wait, tell);
            tell(TuneEvent::Finished(verdict));
            false
        });
    }

    /// Runs some waits, each with its next value, and the others as they are; `None` when the run was ended from outside.
    fn round(&mut self, lanes: &mut [Lane], tell: Tell<'_>) -> Result<Option<Run>, TuneError> {
        let mut values: Vec<u64> = self.shrunk.iter().map(|wait| wait.after).collect();
        for lane in lanes.iter_mut() {
            let Some(Attempt { ms, why }) = lane.attempt else { continue };
            values[lane.wait] = ms;
            if !std::mem::replace(&mut lane.told, true) {
                self.concerning(lane.wait, tell);
                tell(TuneEvent::AttemptStarted { ms, why });
            }
        }
        self.stage(&values)?;
        let tests: BTreeSet<&TestId> =
            lanes.iter().flat_map(|lane| self.watched[lane.wait].tests()).collect();
        // All tests need not be named one by one.
        let all = tests.len() == self.counting.len();
        let tests: Vec<TestId> = tests.into_iter().filter(|_| !all).cloned().collect();
        self.tests.narrow(&tests);
        tell(TuneEvent::RoundStarted { waits: lanes.len() });
        let run = self.tests.run(false, tell)?;
        self.runs += u64::from(run.is_some());
        Ok(run)
    }

    fn absorb(&self, lane: &mut Lane, run: &Run, tell: Tell<'_>) {
        let Some(Attempt { ms, .. }) = lane.attempt else { return };
        let watched = &self.watched[lane.wait];
        let mut outcome = watched.outcome_of_tests(run);
        outcome.passed &= !self.is_unexplained(run);
        let Outcome { passed, milliseconds } = outcome;
        self.concerning(lane.wait, tell);
        tell(TuneEvent::RunFinished { ms, passed, milliseconds, loaded: false });
        if let Some(decided) = lane.tuner.absorb(ms, outcome) {
            tell(TuneEvent::ValueDecided(decided));
        }
    }

    fn concerning(&self, wait: usize, tell: Tell<'_>) {
        let wait = self.waits[wait];
        tell(TuneEvent::Concerning { path: wait.path.to_owned(), line: wait.line, ms: wait.ms });
    }
}

/// The tests that tell whether a wait is long enough: those around it, else those of its file, else all.
pub(super) fn watching(counting: &BTreeSet<TestId>, path: &Path, titles: &[String]) -> Watched {
    if counting.is_empty() {
        return Watched::ExitCode;
    }
    let of_file = |test: &&TestId| file_of(test).is_some_and(|file| is_of(file, path));
    let in_file: Vec<&TestId> = counting.iter().filter(of_file).collect();
    let titled = |title: &String| in_file.iter().any(|test| is_titled(test, title));
    let chosen: Vec<TestId> = if !titles.is_empty() && titles.iter().all(titled) {
        let is_meant = |test: &&&TestId| titles.iter().any(|title| is_titled(test, title));
        in_file.iter().filter(is_meant).copied().cloned().collect()
    } else {
        in_file.into_iter().cloned().collect()
    };
    if chosen.is_empty() {
        Watched::Tests(counting.iter().cloned().collect())
    } else {
        Watched::Tests(chosen)
    }
}
