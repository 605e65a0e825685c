//! A suite that exists.

use jiff::Timestamp;
use steady_flaky::Step;
use steady_flaky::relax::{Described, Policy, Trial, conclude};
use steady_model::rerun::Condition;
use steady_model::{Base, Flaky, Substitution, Suite};

use crate::company::{Order, Round};
use crate::cost::Cost;
use crate::error::StabilizeError;
use crate::footing::Footing;
use crate::ladder::{Ladder, climb};
use crate::prove::{Unproven, prove};
use crate::rehearse::Stage;

/// What became of a suite.
#[derive(Debug, Clone)]
pub struct Stabilized {
    /// The suite with its assertions handled.
    pub suite: Suite,
    /// What is not the same every time.
    pub flaky: Vec<Flaky>,
    /// Tests that fail every time, by name: they are not flaky, and their assertions are as they were.
    pub failing: Vec<String>,
    /// Tests that still pass and fail, by name: what makes them do so is none of their assertions.
    pub unmended: Vec<String>,
    /// What it took.
    pub cost: Cost,
    /// Whether the user ended it early.
    pub interrupted: bool,
}

/// Finds the assertions of a suite that do not hold every time, and handles them.
pub async fn stabilize(
    mut suite: Suite,
    stage: &Stage<'_>,
    footing: &mut Footing<'_>,
    ladder: &Ladder,
    policy: Policy,
    described: &dyn Described,
    tell: &mut dyn FnMut(String),
) -> Result<Stabilized, StabilizeError> {
    // What an older suite says about the address it was made at is true wherever it runs now.
    Substitution::of_base(&Base::at(&suite.api.url)).suite(&mut suite);
    let now = Timestamp::now();
    let mut trials: Vec<Trial> = suite.tests.iter().map(|test| Trial::new(test.clone(), now)).collect();
    let mut cost = Cost::default();
    let order = 0..trials.len();
    let plain = Condition::default();
    let round = Round { step: Step::Rerun, order: Order::Forwards, name: "first run", condition: &plain };
    stage.rehearse(&mut trials, round, order, footing, &mut cost).await?;
    let climbed = Box::pin(climb(&mut trials, stage, footing, ladder, tell)).await?;
    cost.spent.extend(climbed.spent);
    cost.left_out.extend(climbed.left_out);
    let unproven = if policy == Policy::Keep {
        Unproven::default()
    } else {
        Box::pin(prove(&mut trials, stage, footing, policy, described, &mut cost)).await?
    };
    let names = |indices: &[usize]| indices.iter().map(|index| trials[*index].test.name.clone()).collect();
    let (failing, unmended) = (names(&unproven.failing), names(&unproven.unmended));
    let (tests, flaky) = conclude(&trials, policy, described);
    let interrupted = stage.limit.is_interrupted();
    Ok(Stabilized { suite: Suite { tests, ..suite }, flaky, failing, unmended, cost, interrupted })
}
