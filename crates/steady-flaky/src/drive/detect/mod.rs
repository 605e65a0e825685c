//! The plan: in place, reset, restarted, perturbed.

mod plan;
#[cfg(test)]
mod tests;

use std::time::Duration;

use crate::Step;
use crate::relax::ObservedTest;
use steady_model::rerun::{Condition, Perturbation};
use tokio::time::Instant;

use crate::drive::cost::Cost;
use crate::drive::error::StabilizeError;
use crate::drive::run_once::RunContext;
use crate::drive::suite_tests::SuiteTests;
use crate::drive::sut_access::SutAccess;
use crate::drive::test_set::{Order, Round, TestSet};

pub use plan::DetectionPlan;

/// The least time between two runs of the same test in place: a clock that counts whole seconds must have moved.
const TICK: Duration = Duration::from_millis(1_100);

/// How often a suite that is quick to run is run in place: a list of two in any order comes back the same way half of the time.
const QUICK_RERUNS: u32 = 8;
/// The share of the time left that a run of a quick suite takes at the most.
const QUICK_SHARE: f64 = 0.02;

/// Runs all tests in every way the plan asks for and the access to the API allows. `warn` gets a line for every step that cannot be made.
pub async fn detect(
    tests: &mut [ObservedTest],
    context: &RunContext<'_>,
    access: &mut SutAccess<'_>,
    plan: &DetectionPlan,
    warn: &mut dyn FnMut(String),
) -> Result<Cost, StabilizeError> {
    let mut suite_tests = SuiteTests { tests, context, cost: Cost::default() };
    detect_with(&mut suite_tests, access, plan, warn).await?;
    Ok(suite_tests.cost)
}

/// The same for any set of tests.
pub(crate) async fn detect_with(
    tests: &mut impl TestSet,
    access: &mut SutAccess<'_>,
    plan: &DetectionPlan,
    warn: &mut dyn FnMut(String),
) -> Result<(), StabilizeError> {
    tests.know(access.own(&tests.command()));
    if plan.reruns == 0 {
        return Ok(());
    }
    let mut detection = Detection { tests, access, plan, warn, run: Duration::ZERO, start: Duration::ZERO };
    detection.in_place().await?;
    if detection.access.is_managed() {
        if plan.restart {
            detection.restarted().await?;
        }
        detection.perturbed().await?;
    }
    Ok(())
}

/// How the API is brought into the state that a run begins in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    /// As it is, a tick later.
    InPlace,
    /// As it is.
    AtOnce,
    /// Reset without a restart, where that can be done.
    Reset,
    /// Restarted.
    Restart,
    /// Restarted on another port, where steady chooses the port.
    Elsewhere,
}

struct Detection<'a, 'f, C> {
    tests: &'a mut C,
    access: &'a mut SutAccess<'f>,
    plan: &'a DetectionPlan,
    warn: &'a mut dyn FnMut(String),
    /// How long the last run of all tests took.
    run: Duration,
    /// How long the last start of the API took.
    start: Duration,
}

impl<C: TestSet> Detection<'_, '_, C> {
    /// Forwards and backwards in turn: a test that depends on those before it gets another answer.
    async fn in_place(&mut self) -> Result<(), StabilizeError> {
        let plain = Condition::default();
        for round in 0..self.plan.reruns {
            let order = if round % 2 == 0 { Order::Forwards } else { Order::Backwards };
            let round = Round { step: Step::Rerun, order, name: "rerun", condition: &plain };
            self.step(Start::InPlace, round, 1).await?;
        }
        for _ in self.plan.reruns..QUICK_RERUNS {
            if !self.is_quick() {
                break;
            }
            let round = Round { step: Step::Rerun, order: Order::Forwards, name: "rerun", condition: &plain };
            self.step(Start::AtOnce, round, 1).await?;
        }
        if self.orders() {
            let step = Step::Perturbed(Perturbation::Order);
            let round = Round { step, order: Order::Shuffled, name: "order", condition: &plain };
            self.step(Start::AtOnce, round, 1).await?;
        }
        Ok(())
    }

    /// From a fresh start: what a test finds only because one before it left it is not there.
    async fn restarted(&mut self) -> Result<(), StabilizeError> {
        let plain = Condition::default();
        let round = |step, order, name| Round { step, order, name, condition: &plain };
        if self.access.resets_in_place() {
            self.step(Start::Reset, round(Step::Reset, Order::Forwards, "reset"), 3).await?;
        }
        if self.orders() {
            let step = Step::Perturbed(Perturbation::Order);
            // The last test first.
            self.step(Start::Reset, round(step, Order::Backwards, "backwards"), 3).await?;
        }
        // What has the port in it besides the API's own address shows only on another port.
        let start = if self.tests.can_follow() { Start::Elsewhere } else { Start::Restart };
        self.step(start, round(Step::Restart, Order::Forwards, "restart"), 2).await?;
        Ok(())
    }

    /// All changes at once first: when nothing notices, none of them needs to be tried alone.
    async fn perturbed(&mut self) -> Result<(), StabilizeError> {
        let conditions = self.access.conditions(&self.plan.perturb);
        if conditions.is_empty() {
            return Ok(());
        }
        let together = Condition(conditions.iter().flat_map(|(_, condition)| condition.0.clone()).collect());
        let steps: Vec<Step> = conditions.iter().map(|(what, _)| Step::Perturbed(*what)).collect();
        let before = self.tests.moving();
        let round = Round {
            step: Step::Restart,
            order: Order::Forwards,
            name: "everything changed",
            condition: &together,
        };
        let seen = self.step(Start::Restart, round, 1).await?;
        if seen {
            if self.tests.moving() == before {
                self.tests.relabel(&steps);
                return Ok(());
            }
            self.tests.relabel(&[]);
        }
        let left_out = self.tests.cost().left_out.len();
        for (perturbation, condition) in &conditions {
            let name = condition.to_string();
            let step = Step::Perturbed(*perturbation);
            let round = Round { step, order: Order::Forwards, name: &name, condition };
            self.step(Start::Restart, round, 1).await?;
        }
        if seen && self.tests.cost().left_out.len() > left_out {
            // Not all changes were tried alone, so which of them moved a value may not be known. That it moved is known, and must
            // not get lost: the run counts for every change.
            self.tests.recall(&steps);
        }
        Ok(())
    }

    fn orders(&self) -> bool {
        self.tests.can_order() && self.plan.perturb.contains(&Perturbation::Order)
    }

    /// Whether one run more costs next to nothing of the time that is left.
    fn is_quick(&self) -> bool {
        self.tests.time_left().is_some_and(|left| self.run <= left.mul_f64(QUICK_SHARE))
    }

    /// Whether there is time for a run from such a start, `later` more that matter as much, and the proof.
    fn fits(&self, start: Start, later: u32) -> bool {
        let own_start = if self.access.is_managed() { self.start } else { Duration::ZERO };
        let first = match start {
            Start::AtOnce => Duration::ZERO,
            Start::InPlace => TICK,
            Start::Reset | Start::Restart | Start::Elsewhere => own_start,
        };
        let needed = self.run + first + (self.run + own_start) * later;
        !self.tests.is_over() && self.tests.time_left().is_none_or(|left| left >= needed)
    }

    /// Brings the API to the start and runs all tests; says whether all were run. What there is no time for is left out, and so is a
    /// condition the API does not start under.
    async fn step(&mut self, start: Start, round: Round<'_>, later: u32) -> Result<bool, StabilizeError> {
        // A start and a run are large futures, and every step would hold them again.
        Box::pin(self.take_step(start, round, later)).await
    }

    async fn take_step(
        &mut self,
        start: Start,
        round: Round<'_>,
        later: u32,
    ) -> Result<bool, StabilizeError> {
        if !self.fits(start, later) {
            self.tests.cost().leave_out(round.name);
            return Ok(false);
        }
        let began = Instant::now();
        let (tests, access) = (&*self.tests, &mut *self.access);
        let ready = match start {
            Start::AtOnce => Some(Ok(())),
            Start::InPlace => tests.within(tokio::time::sleep(TICK)).await.map(Ok),
            Start::Reset => tests.within(access.reset_or_restart()).await,
            Start::Restart => tests.within(access.restart(round.condition)).await,
            Start::Elsewhere => tests.within(access.restart_elsewhere()).await,
        };
        // Also when there was no time to wait for it: its address has changed already, and later steps call it there.
        if let Some(url) = self.access.url().filter(|_| start == Start::Elsewhere) {
            self.tests.follow(&url)?;
        }
        match ready {
            None => {
                self.tests.cost().leave_out(round.name);
                return Ok(false);
            }
            Some(Err(error)) if round.condition.0.is_empty() => return Err(error),
            Some(Err(error)) => {
                let name = round.name;
                (self.warn)(format!(
                    "the API does not start with {name}, so nothing was tried under it: {error}"
                ));
                let plain = Condition::default();
                let (tests, access) = (&*self.tests, &mut *self.access);
                tests.within(access.restart(&plain)).await.transpose()?;
                return Ok(false);
            }
            Some(Ok(())) => {}
        }
        if matches!(start, Start::Reset | Start::Restart | Start::Elsewhere) {
            self.start = began.elapsed();
            self.tests.api_restarted();
        }
        let began = Instant::now();
        let complete = Box::pin(self.tests.run(round, self.access)).await?;
        self.run = self.run.max(began.elapsed());
        if !complete {
            self.tests.cost().leave_out(&format!("{} (in part)", round.name));
        }
        Ok(complete)
    }
}
