//! Which tests another one's outcome depends on.
//!
//! A test that fails in one order and passes in another is run alone first. If it passes alone, something before it made it
//! fail: a polluter is looked for among what ran before. If it fails alone, it needs something that ran before: a
//! setter is looked for among what ran before it when it passed.

use std::collections::BTreeMap;

use steady_model::rerun::{Dependence, Outcome, Perturbation, Role, Run, TestId, TestReport, Verdict};
use steady_process::{Stop, spawn};

use super::RerunError;
use super::prepare::Bench;
use crate::polluter::minimal;

/// How often what was found is tried again.
const CONFIRMATIONS: u32 = 3;
/// The most runs that are spent on one test.
const MOST_TRIES: u32 = 60;

/// Looks for dependences, running few tests at a time.
pub struct Dependences<'a> {
    bench: Bench<'a>,
    first: &'a [TestId],
    stop: &'a Stop,
    /// How often the command was run for it.
    pub tries: u32,
}

/// Why a search broke off.
enum Break {
    /// The user asked for it, or it took too long.
    Enough,
    Error(RerunError),
}

impl<'a> Dependences<'a> {
    /// `first` is the order of the tests with nothing changed.
    pub fn new(bench: Bench<'a>, first: &'a [TestId], stop: &'a Stop) -> Self {
        Self { bench, first, stop, tries: 0 }
    }

    /// What the test's outcome depends on, if its outcome changed with the order and that can be found out.
    pub fn of(&mut self, test: &TestReport, orders: &[Run]) -> Result<Option<Dependence>, RerunError> {
        let by_order = test.flips.iter().any(|flip| flip.perturbation == Perturbation::Order);
        if !by_order || !matches!(test.verdict, Verdict::Sensitive | Verdict::Flaky) {
            return Ok(None);
        }
        match self.search(&test.id, orders) {
            Ok(found) => Ok(found),
            // A runner that cannot pick tests, or a search that takes too long, leaves the question open.
            Err(Break::Enough | Break::Error(RerunError::Select(_))) => Ok(None),
            Err(Break::Error(error)) => Err(error),
        }
    }

    fn search(&mut self, test: &TestId, orders: &[Run]) -> Result<Option<Dependence>, Break> {
        let limit = self.tries + MOST_TRIES;
        let fails_alone = self.outcome(test, &[], limit)? == Some(Outcome::Failed);
        let (role, wanted) =
            if fails_alone { (Role::Setter, Outcome::Passed) } else { (Role::Polluter, Outcome::Failed) };
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
        Ok((confirmed > 0).then_some(Dependence { role, tests, confirmed, tried: CONFIRMATIONS }))
    }

    /// What ran before the test when it came to this, in the run where that was least.
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

    /// What the test comes to after these.
    fn outcome(&mut self, test: &TestId, before: &[TestId], limit: u32) -> Result<Option<Outcome>, Break> {
        if self.tries >= limit || self.stop.is_requested() {
            return Err(Break::Enough);
        }
        self.tries += 1;
        let mut tests = before.to_vec();
        tests.push(test.clone());
        let prepared = self.bench.prepare_listed(&tests).map_err(Break::Error)?;
        let running = spawn(&prepared.spec).map_err(|error| Break::Error(RerunError::Job(error.into())))?;
        let finished = running.wait(self.stop);
        let (results, _) = prepared.results(&finished);
        Ok(results.iter().rfind(|result| result.id == *test).map(|result| result.outcome))
    }
}
