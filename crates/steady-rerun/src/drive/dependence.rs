//! Which tests the outcome of another one depends on.
//!
//! A test that fails in one order and passes in another is run alone first. If it passes alone, something before it made it
//! fail: a polluter is looked for among what ran before. If it fails alone, it needs something that ran before: a
//! setter is looked for among what ran before it when it passed.

use std::collections::BTreeMap;
use std::time::Instant;

use steady_exec::{ExecError, Job, RunPlan, Selection};
use steady_model::rerun::{Condition, Dependence, Outcome, Role, Run, TestId, TestReport};
use steady_process::{Cancel, spawn};

use super::RerunError;
use crate::polluter::minimal;

/// How often a finding is confirmed.
const CONFIRMATIONS: u32 = 3;
/// The most runs that are spent on one test.
const MOST_TRIES: u32 = 60;

/// Looks for dependences, running few tests at a time.
pub struct Dependences<'a> {
    job: Job<'a>,
    first: &'a [TestId],
    deadline: Option<Instant>,
    /// The most runs for all tests together.
    most: Option<u32>,
    cancel: &'a Cancel,
    /// How often the command was run for it.
    pub tries: u32,
}

/// Why a search ended early.
enum Break {
    /// Cancellation, or the time limit.
    Enough,
    Error(ExecError),
}

impl<'a> Dependences<'a> {
    /// `first` is the order of the tests with nothing changed.
    pub fn new(
        job: Job<'a>,
        first: &'a [TestId],
        deadline: Option<Instant>,
        most: Option<u32>,
        cancel: &'a Cancel,
    ) -> Self {
        Self { job, first, deadline, most, cancel, tries: 0 }
    }

    /// The tests that the test's outcome depends on, if it changed with the order and they can be found.
    pub fn of(&mut self, test: &TestReport, orders: &[Run]) -> Result<Option<Dependence>, RerunError> {
        let failed_in_order = |run: &Run| {
            run.results.iter().any(|result| result.id == test.id && result.outcome == Outcome::Failed)
        };
        // A test that fails in one order and never otherwise is searched even after few runs.
        if test.plain.failed > 0 || test.plain.passed == 0 || !orders.iter().any(failed_in_order) {
            return Ok(None);
        }
        match self.search(&test.id, orders) {
            Ok(found) => Ok(found),
            // If the runner cannot select tests, or the search takes too long, the dependence stays unknown.
            Err(Break::Enough | Break::Error(ExecError::Select(_))) => Ok(None),
            Err(Break::Error(error)) => Err(error.into()),
        }
    }

    fn search(&mut self, test: &TestId, orders: &[Run]) -> Result<Option<Dependence>, Break> {
        let limit = self.tries + MOST_TRIES;
        let (role, wanted) = match self.alone(test, limit)? {
            Some(Outcome::Passed) => (Role::Polluter, Outcome::Failed),
            Some(Outcome::Failed) => (Role::Setter, Outcome::Passed),
            // It did not run, or is flaky when it runs alone: no order explains that.
            Some(Outcome::Skipped) | None => return Ok(None),
        };
        let Some(before) = self.ran_before(test, wanted, orders) else { return Ok(None) };
        let mut seen = BTreeMap::new();
        let found = minimal(&before, |some| {
            if let Some(known) = seen.get(some) {
                return Ok(*known);
            }
            let provokes = self.outcome(test, some, limit)? == Some(wanted);
            seen.insert(some.to_vec(), provokes);
            Ok(provokes)
        })?;
        let Some(tests) = found.filter(|tests| !tests.is_empty()) else { return Ok(None) };
        let mut confirmed = 0;
        for _ in 0..CONFIRMATIONS {
            confirmed += u32::from(self.outcome(test, &tests, u32::MAX)? == Some(wanted));
        }
        let certain = confirmed == CONFIRMATIONS;
        Ok(certain.then_some(Dependence { role, tests, confirmed, tried: CONFIRMATIONS }))
    }

    /// The outcome of the test when nothing runs before it, if it is always the same.
    fn alone(&mut self, test: &TestId, limit: u32) -> Result<Option<Outcome>, Break> {
        let first = self.outcome(test, &[], limit)?;
        for _ in 1..CONFIRMATIONS {
            if self.outcome(test, &[], limit)? != first {
                return Ok(None);
            }
        }
        Ok(first)
    }

    /// The shortest list of tests that ran before the test when it had this outcome.
    fn ran_before(&self, test: &TestId, wanted: Outcome, orders: &[Run]) -> Option<Vec<TestId>> {
        let mut candidates: Vec<Vec<TestId>> = orders
            .iter()
            .filter_map(|run| {
                let at = run.results.iter().position(|result| result.id == *test)?;
                let came_to = run.results[at].outcome == wanted;
                came_to.then(|| run.results[..at].iter().map(|result| result.id.clone()).collect())
            })
            .collect();
        if candidates.is_empty() {
            let at = self.first.iter().position(|id| id == test)?;
            candidates.push(self.first[..at].to_vec());
        }
        candidates.into_iter().min_by_key(Vec::len)
    }

    /// The outcome of the test after these.
    fn outcome(&mut self, test: &TestId, before: &[TestId], limit: u32) -> Result<Option<Outcome>, Break> {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let spent = self.most.is_some_and(|most| self.tries >= most);
        if self.tries >= limit || spent || late || self.cancel.is_requested() {
            return Err(Break::Enough);
        }
        self.tries += 1;
        let mut tests = before.to_vec();
        tests.push(test.clone());
        let plain = Condition::default();
        let plan = RunPlan { selection: Selection::InOrder(&tests), ..RunPlan::new(self.tries, &plain) };
        let prepared = self.job.prepare(&plan).map_err(Break::Error)?;
        let running = spawn(&prepared.spec).map_err(|error| Break::Error(error.into()))?;
        let finished = running.wait(self.cancel);
        if self.cancel.is_requested() {
            return Err(Break::Enough);
        }
        let finished = prepared.finish(&finished).map_err(Break::Error)?;
        Ok(finished.run.results.iter().rfind(|result| result.id == *test).map(|result| result.outcome))
    }
}
