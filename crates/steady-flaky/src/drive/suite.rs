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

#[cfg(test)]
mod tests {
    use serde_json::json;
    use steady_model::{ApiInfo, Method};

    use super::*;
    use crate::drive::fakes::{LoopbackApi, Reply, call, context, equals, test_case, unlimited};

    /// A suite of a test that passes, one whose value is another each time, and one that fails.
    fn suite(url: &str) -> Suite {
        let test = |name: &str, expected: &str| {
            test_case(name, vec![call(Method::Get, &format!("/{name}"), vec![equals("x", expected)])])
        };
        let api = ApiInfo { title: "shop".to_owned(), url: url.to_owned() };
        let tests = vec![test("stable", "a"), test("volatile", "value 0"), test("broken", "b")];
        Suite { version: Suite::VERSION, api, seed: 0, identities: Vec::new(), tests }
    }

    async fn stabilized(policy: Policy) -> Stabilized {
        let requests = std::sync::atomic::AtomicU32::new(0);
        let api = LoopbackApi::serve(move |asked| {
            let count = requests.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            let x = if asked.path == "/volatile" { format!("value {count}") } else { "a".to_owned() };
            Reply::Json(json!({ "x": x }))
        });
        let context = context(api.url(), unlimited());
        // The proof alone: a rerun in place waits for a tick of the real clock.
        let plan = DetectionPlan { reruns: 0, ..DetectionPlan::default() };
        let access = &mut SutAccess::External;
        let warn = &mut |line| panic!("{line}");
        stabilize(suite(api.url()), &context, access, &plan, policy, &(), warn).await.unwrap()
    }

    #[tokio::test]
    async fn what_varies_is_relaxed_and_what_fails_is_named() {
        let found = stabilized(Policy::Relax).await;
        let is_exact = |index: usize| found.suite.tests[index].calls[0].expect[0].matcher.is_exact();
        assert_eq!([0, 1, 2].map(is_exact), [true, false, true]);
        assert_eq!((found.failing, found.still_flaky), (vec!["broken".to_owned()], vec![]));
        assert_eq!(found.flaky.iter().map(|flaky| &flaky.tests).collect::<Vec<_>>(), [&["volatile"]]);
        assert_eq!(found.cost.to_string(), "first run, proof x3");
        assert!(!found.interrupted);
    }

    #[tokio::test]
    async fn a_suite_that_is_kept_is_not_proven() {
        let found = stabilized(Policy::Keep).await;
        assert_eq!(found.suite.tests, suite(&found.suite.api.url).tests);
        assert_eq!(found.cost.to_string(), "first run");
        assert!(found.failing.is_empty() && found.still_flaky.is_empty());
    }
}
