//! Runs the tests as they will be written.

use std::collections::BTreeSet;

use crate::Step;
use crate::relax::{Described, ObservedTest, Policy};
use steady_model::rerun::Condition;

use crate::drive::cost::Cost;
use crate::drive::error::StabilizeError;
use crate::drive::run_once::{Run, RunContext};
use crate::drive::sut_access::SutAccess;

/// How often tests that fail may learn from it.
const LESSONS: u32 = 3;

/// Tests that did not pass in the end.
#[derive(Debug, Default)]
pub struct Unproven {
    /// Those that failed every time.
    pub failing: Vec<usize>,
    /// Those that also passed.
    pub still_flaky: Vec<usize>,
}

impl Unproven {
    /// All of them.
    pub fn all(self) -> Vec<usize> {
        [self.failing, self.still_flaky].concat()
    }
}

/// Runs the handled tests from a fresh start until all of them pass; says which did not.
///
/// A test that fails has seen something new: it is handled again with what it saw.
pub async fn prove(
    tests: &mut [ObservedTest],
    context: &RunContext<'_>,
    access: &mut SutAccess<'_>,
    policy: Policy,
    described: &dyn Described,
    cost: &mut Cost,
) -> Result<Unproven, StabilizeError> {
    // A test that was not proven because there was no time for it has not failed.
    let mut failed: Vec<usize> = Vec::new();
    let mut passed = BTreeSet::new();
    let step = if access.is_managed() { Step::Restart } else { Step::Rerun };
    let plain = Condition::default();
    for lesson in 0..LESSONS {
        if lesson > 0 && failed.is_empty() {
            break;
        }
        // Every start of the suite's own will have another port; those that fail see nothing new on a third one.
        let started = if lesson == 0 {
            let started = context.limit.within(access.restart_elsewhere()).await;
            if let Some(url) = access.url() {
                context.follow(&url)?;
            }
            started
        } else {
            context.limit.within(access.restart(&plain)).await
        };
        let Some(started) = started else {
            cost.leave_out("proof");
            break;
        };
        started?;
        if access.is_managed() {
            context.forget_sessions();
        }
        let mut run = Run::new(context, &plain);
        let mut failing = Vec::new();
        let mut reached = 0;
        // All of them again, also those that passed: without the tests before it, a test may find the API in another state.
        for (index, observed) in tests.iter_mut().enumerate() {
            if context.is_over() {
                break;
            }
            let (test, _) = observed.handled(policy, described);
            let seed = context.seed.wrapping_sub(index as u64).wrapping_sub((observed.runs() as u64) << 32);
            let Some(outcome) = run.test(&test, seed, access).await? else { break };
            reached = index + 1;
            if outcome.passed() {
                passed.insert(index);
            } else {
                observed.record_run(step, outcome.responses(), &outcome.variables);
                failing.push(index);
            }
        }
        if reached < tests.len() {
            cost.leave_out(if reached == 0 { "proof" } else { "proof (in part)" });
        }
        // What failed and could not show that it learnt from it has still failed.
        failing.extend(failed.iter().filter(|index| **index >= reached));
        failed = failing;
        run.finish("proof", cost)?;
    }
    let (still_flaky, failing) = failed.into_iter().partition(|index| passed.contains(index));
    Ok(Unproven { failing, still_flaky })
}

#[cfg(test)]
mod tests;
