//! The ladder: in place, reset, restarted, perturbed.

use std::time::Duration;

use steady_flaky::Step;
use steady_flaky::relax::Trial;
use steady_model::rerun::{Condition, Perturbation};

use crate::company::{Company, Order};
use crate::cost::Cost;
use crate::error::StabilizeError;
use crate::footing::Footing;
use crate::rehearse::Stage;
use crate::troupe::Troupe;

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

impl Ladder {
    /// How long climbing it waits for nothing but the clock.
    pub fn waits(&self) -> Duration {
        TICK * self.reruns
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
    let mut troupe = Troupe { trials, stage, cost: Cost::default() };
    ascend(&mut troupe, footing, ladder, tell).await?;
    Ok(troupe.cost)
}

/// The same for any company.
pub(crate) async fn ascend(
    company: &mut impl Company,
    footing: &mut Footing<'_>,
    ladder: &Ladder,
    tell: &mut dyn FnMut(String),
) -> Result<(), StabilizeError> {
    company.know(footing.own());
    in_place(company, ladder).await?;
    if footing.is_ours() && !company.is_over() {
        if ladder.restart {
            if footing.reset().await? {
                company.begin_anew();
                company.perform(Step::Reset, Order::Forwards, "reset").await?;
            }
            backwards(company, footing, ladder).await?;
            footing.restart(&Condition::default()).await?;
            company.begin_anew();
            company.perform(Step::Restart, Order::Forwards, "restart").await?;
        }
        perturbed(company, footing, &ladder.perturb, tell).await?;
    }
    Ok(())
}

/// Forwards and backwards in turn; what depends on the tests before it gives itself away.
async fn in_place(company: &mut impl Company, ladder: &Ladder) -> Result<(), StabilizeError> {
    for round in 0..ladder.reruns {
        if company.is_over() {
            return Ok(());
        }
        tokio::time::sleep(TICK).await;
        let order = if round % 2 == 0 { Order::Forwards } else { Order::Backwards };
        company.perform(Step::Rerun, order, "rerun").await?;
    }
    if ladder.reruns > 0 && company.can_order() && ladder.perturb.contains(&Perturbation::Order) {
        company.perform(Step::Perturbed(Perturbation::Order), Order::Shuffled, "order").await?;
    }
    Ok(())
}

/// From a fresh start, the last test first: what a test finds only because one before it left it is not there.
async fn backwards(
    company: &mut impl Company,
    footing: &mut Footing<'_>,
    ladder: &Ladder,
) -> Result<(), StabilizeError> {
    if !company.can_order() || !ladder.perturb.contains(&Perturbation::Order) {
        return Ok(());
    }
    if !footing.reset().await? {
        footing.restart(&Condition::default()).await?;
    }
    company.begin_anew();
    company.perform(Step::Perturbed(Perturbation::Order), Order::Backwards, "backwards").await
}

/// All changes at once first: when nothing notices, none of them needs to be tried alone.
async fn perturbed(
    company: &mut impl Company,
    footing: &mut Footing<'_>,
    wanted: &[Perturbation],
    tell: &mut dyn FnMut(String),
) -> Result<(), StabilizeError> {
    let conditions = footing.conditions(wanted);
    if conditions.is_empty() {
        return Ok(());
    }
    let together = Condition(conditions.iter().flat_map(|(_, condition)| condition.0.clone()).collect());
    let before = company.moving();
    if under(company, footing, &together, Step::Restart, "everything changed", tell).await? {
        if company.moving() == before {
            let steps: Vec<Step> = conditions.iter().map(|(what, _)| Step::Perturbed(*what)).collect();
            company.relabel(&steps);
            return Ok(());
        }
        company.relabel(&[]);
    }
    for (perturbation, condition) in &conditions {
        if company.is_over() {
            break;
        }
        let step = Step::Perturbed(*perturbation);
        under(company, footing, condition, step, &condition.to_string(), tell).await?;
    }
    Ok(())
}

/// Starts the API under a condition and runs all tests; one it does not start under is left out.
async fn under(
    company: &mut impl Company,
    footing: &mut Footing<'_>,
    condition: &Condition,
    step: Step,
    name: &str,
    tell: &mut dyn FnMut(String),
) -> Result<bool, StabilizeError> {
    company.begin_anew();
    if let Err(error) = footing.restart(condition).await {
        tell(format!("the API does not start with {name}, so nothing was tried under it: {error}"));
        footing.restart(&Condition::default()).await?;
        return Ok(false);
    }
    company.perform(step, Order::Forwards, name).await?;
    Ok(true)
}
