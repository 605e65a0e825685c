//! A suite that exists.

use crate::Step;
use crate::relax::{Described, ObservedTest, Policy, conclude};
use jiff::Timestamp;
use steady_model::rerun::Condition;
use steady_model::{Base, Flaky, Substitution, Suite};

use crate::drive::cost::Cost;
use crate::drive::detect::{DetectionPlan, detect};
use crate::drive::error::StabilizeError;
use crate::drive::prove::{Unproven, prove};
use crate::drive::run_once::RunContext;
use crate::drive::sut_access::SutAccess;
use crate::drive::test_set::{Order, Round};

/// A suite after detection.
#[derive(Debug, Clone)]
pub struct Stabilized {
    /// The suite with its assertions handled.
    pub suite: Suite,
    /// What is not the same every time.
    pub flaky: Vec<Flaky>,
    /// Tests that fail every time, by name: they are not flaky, and their assertions are as they were.
    pub failing: Vec<String>,
    /// Tests that still pass and fail, by name: the cause is not one of their assertions.
    pub still_flaky: Vec<String>,
    /// What it took.
    pub cost: Cost,
    /// Whether the user ended it early.
    pub interrupted: bool,
}

/// Finds the assertions of a suite that do not hold every time, and handles them.
pub async fn stabilize(
    mut suite: Suite,
    context: &RunContext<'_>,
    access: &mut SutAccess<'_>,
    plan: &DetectionPlan,
    policy: Policy,
    described: &dyn Described,
    warn: &mut dyn FnMut(String),
) -> Result<Stabilized, StabilizeError> {
    // An older suite has the address it was made at in its texts; the same is true of the address it runs at now.
    Substitution::of_base(&Base::at(&suite.api.url)).suite(&mut suite);
    let now = Timestamp::now();
    let mut tests: Vec<ObservedTest> =
        suite.tests.iter().map(|test| ObservedTest::new(test.clone(), now)).collect();
    let mut cost = Cost::default();
    let order = 0..tests.len();
    let plain = Condition::default();
    let round = Round { step: Step::Rerun, order: Order::Forwards, name: "first run", condition: &plain };
    context.run_once(&mut tests, round, order, access, &mut cost).await?;
    let detected = Box::pin(detect(&mut tests, context, access, plan, warn)).await?;
    cost.spent.extend(detected.spent);
    cost.left_out.extend(detected.left_out);
    let unproven = if policy == Policy::Keep {
        Unproven::default()
    } else {
        Box::pin(prove(&mut tests, context, access, policy, described, &mut cost)).await?
    };
    let names = |indices: &[usize]| indices.iter().map(|index| tests[*index].test.name.clone()).collect();
    let (failing, still_flaky) = (names(&unproven.failing), names(&unproven.still_flaky));
    let (tests, flaky) = conclude(&tests, policy, described);
    let interrupted = context.limit.is_interrupted();
    Ok(Stabilized { suite: Suite { tests, ..suite }, flaky, failing, still_flaky, cost, interrupted })
}
