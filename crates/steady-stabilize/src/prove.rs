//! Runs the tests as they will be written.

use std::collections::BTreeSet;
use std::time::Instant;

use steady_flaky::Step;
use steady_flaky::relax::{Described, Policy, Trial};
use steady_model::rerun::Condition;

use crate::cost::Cost;
use crate::error::StabilizeError;
use crate::footing::Footing;
use crate::rehearse::{Run, Stage, responses};

/// How often tests that fail may learn from it.
const LESSONS: u32 = 3;

/// The trials whose tests did not pass in the end.
#[derive(Debug, Default)]
pub struct Unproven {
    /// Those that failed every time.
    pub failing: Vec<usize>,
    /// Those that also passed.
    pub unmended: Vec<usize>,
}

impl Unproven {
    /// All of them.
    pub fn all(self) -> Vec<usize> {
        [self.failing, self.unmended].concat()
    }
}

/// Runs the handled tests from a fresh start until all of them pass; says which did not.
///
/// A test that fails has seen something new: it is handled again with what it saw.
pub async fn prove(
    trials: &mut [Trial],
    stage: &Stage<'_>,
    footing: &mut Footing<'_>,
    policy: Policy,
    described: &dyn Described,
    cost: &mut Cost,
) -> Result<Unproven, StabilizeError> {
    // A test that was not proven because the user had no more patience has not failed.
    let mut failed = Vec::new();
    let mut passed = BTreeSet::new();
    let step = if footing.is_ours() { Step::Restart } else { Step::Rerun };
    for lesson in 0..LESSONS {
        if stage.is_over() || (lesson > 0 && failed.is_empty()) {
            break;
        }
        footing.restart(&Condition::default()).await?;
        if footing.is_ours() {
            stage.begin_anew();
        }
        let started = Instant::now();
        let mut run = Run::new(stage);
        failed.clear();
        // All of them again, also those that passed: a fresh start has everybody on it.
        for (index, trial) in trials.iter_mut().enumerate() {
            if stage.is_over() {
                break;
            }
            let (test, _) = trial.handled(policy, described);
            let seed = stage.seed.wrapping_sub(index as u64).wrapping_sub((trial.runs() as u64) << 32);
            let outcome = run.test(&test, seed).await?;
            if outcome.passed() {
                passed.insert(index);
            } else {
                trial.saw(step, responses(&outcome), &outcome.variables);
                failed.push(index);
            }
        }
        cost.add("proof", run.requests, started.elapsed());
        stage.sessions.replace(run.sessions);
    }
    let (unmended, failing) = failed.into_iter().partition(|index| passed.contains(index));
    Ok(Unproven { failing, unmended })
}
