//! The ladder: in place, reset, restarted, perturbed.

use std::sync::Arc;
use std::time::Duration;

use chacha20::ChaCha8Rng;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use steady_flaky::Step;
use steady_flaky::relax::{Policy, Trial};
use steady_model::rerun::{Condition, Perturbation};

use crate::cost::Cost;
use crate::error::StabilizeError;
use crate::footing::Footing;
use crate::rehearse::Stage;

/// The least time between two runs of the same test in place: a clock that counts whole seconds must have moved.
const TICK: Duration = Duration::from_millis(1_100);

/// How far up to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ladder {
    /// How often all tests are run again in place.
    pub reruns: u32,
    /// Whether the API is reset and restarted, as far as it is ours.
    pub restart: bool,
    /// What is changed around it.
    pub perturb: Vec<Perturbation>,
}

impl Default for Ladder {
    fn default() -> Self {
        Self { reruns: 3, restart: true, perturb: Perturbation::ALL.to_vec() }
    }
}

/// Runs all trials in every way the ladder asks for and the footing allows. `tell` hears of steps that cannot be made.
pub async fn climb(
    trials: &mut [Trial],
    stage: &Stage<'_>,
    footing: &mut Footing<'_>,
    ladder: &Ladder,
    tell: &mut dyn FnMut(String),
) -> Result<Cost, StabilizeError> {
    let own: Arc<[String]> = footing.own().into();
    trials.iter_mut().for_each(|trial| trial.own(&own));
    let mut climb = Climb { stage, footing, cost: Cost::default() };
    climb.in_place(trials, ladder).await?;
    if climb.footing.is_ours() && !stage.is_over() {
        if ladder.restart {
            climb.reset(trials).await?;
            climb.restarted(trials).await?;
        }
        climb.perturbed(trials, &ladder.perturb, tell).await?;
    }
    Ok(climb.cost)
}

struct Climb<'a, 'b> {
    stage: &'a Stage<'a>,
    footing: &'a mut Footing<'b>,
    cost: Cost,
}

impl Climb<'_, '_> {
    /// Forwards and backwards in turn; what depends on the tests before it gives itself away.
    async fn in_place(&mut self, trials: &mut [Trial], ladder: &Ladder) -> Result<(), StabilizeError> {
        let count = trials.len();
        for round in 0..ladder.reruns {
            if self.stage.is_over() {
                return Ok(());
            }
            tokio::time::sleep(TICK).await;
            let order: Vec<usize> =
                if round % 2 == 0 { (0..count).collect() } else { (0..count).rev().collect() };
            self.stage.rehearse(trials, Step::Rerun, order, &mut self.cost, "rerun").await?;
        }
        if ladder.reruns > 0 && ladder.perturb.contains(&Perturbation::Order) {
            let mut order: Vec<usize> = (0..count).collect();
            order.shuffle(&mut ChaCha8Rng::seed_from_u64(self.stage.seed));
            let step = Step::Perturbed(Perturbation::Order);
            self.stage.rehearse(trials, step, order, &mut self.cost, "order").await?;
        }
        Ok(())
    }

    async fn reset(&mut self, trials: &mut [Trial]) -> Result<(), StabilizeError> {
        if !self.footing.reset().await? {
            return Ok(());
        }
        let order = 0..trials.len();
        self.stage.rehearse(trials, Step::Reset, order, &mut self.cost, "reset").await
    }

    async fn restarted(&mut self, trials: &mut [Trial]) -> Result<(), StabilizeError> {
        self.footing.restart(&Condition::default()).await?;
        let order = 0..trials.len();
        self.stage.rehearse(trials, Step::Restart, order, &mut self.cost, "restart").await
    }

    /// All changes at once first: when nothing notices, none of them needs to be tried alone.
    async fn perturbed(
        &mut self,
        trials: &mut [Trial],
        wanted: &[Perturbation],
        tell: &mut dyn FnMut(String),
    ) -> Result<(), StabilizeError> {
        let conditions = self.footing.conditions(wanted);
        if conditions.is_empty() {
            return Ok(());
        }
        let together = Condition(conditions.iter().flat_map(|(_, condition)| condition.0.clone()).collect());
        let mut rehearsed = trials.to_vec();
        if self.under(&mut rehearsed, &together, Step::Restart, "everything changed", tell).await? {
            let noticed =
                rehearsed.iter().zip(trials.iter()).any(|(after, before)| moving(after) != moving(before));
            if !noticed {
                for (trial, rehearsed) in trials.iter_mut().zip(&rehearsed) {
                    let steps = conditions.iter().map(|(perturbation, _)| Step::Perturbed(*perturbation));
                    trial.saw_as(rehearsed, steps);
                }
                return Ok(());
            }
        }
        for (perturbation, condition) in &conditions {
            if self.stage.is_over() {
                break;
            }
            let step = Step::Perturbed(*perturbation);
            self.under(trials, condition, step, &condition.to_string(), tell).await?;
        }
        Ok(())
    }

    /// Starts the API under a condition and runs all tests; one it does not start under is left out.
    async fn under(
        &mut self,
        trials: &mut [Trial],
        condition: &Condition,
        step: Step,
        name: &str,
        tell: &mut dyn FnMut(String),
    ) -> Result<bool, StabilizeError> {
        if let Err(error) = self.footing.restart(condition).await {
            tell(format!("the API does not start with {name}, so nothing was tried under it: {error}"));
            self.footing.restart(&Condition::default()).await?;
            return Ok(false);
        }
        let order = 0..trials.len();
        self.stage.rehearse(trials, step, order, &mut self.cost, name).await?;
        Ok(true)
    }
}

/// The places that are known to move.
fn moving(trial: &Trial) -> Vec<String> {
    let (_, moving) = trial.handled(Policy::Disable, &());
    moving
        .into_iter()
        .filter(|call| call.moving.evidence.iter().any(|step| step != "inferred"))
        .map(|call| format!("{} {} {}", call.operation, call.status, call.moving.place))
        .collect()
}
