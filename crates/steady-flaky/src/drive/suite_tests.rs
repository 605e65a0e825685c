//! The tests of a suite: steady runs them itself.

use std::sync::Arc;
use std::time::Duration;

use crate::Step;
use crate::infer::Fact;
use crate::relax::{ObservedTest, Policy};
use chacha20::ChaCha8Rng;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;

use crate::drive::cost::Cost;
use crate::drive::error::StabilizeError;
use crate::drive::run_once::RunContext;
use crate::drive::sut_access::SutAccess;
use crate::drive::test_set::{Order, Round, TestSet};

/// Tests with what was seen of them, and what running them takes.
pub(crate) struct SuiteTests<'a> {
    pub tests: &'a mut [ObservedTest],
    pub context: &'a RunContext<'a>,
    pub cost: Cost,
}

impl TestSet for SuiteTests<'_> {
    async fn run(&mut self, round: Round<'_>, access: &mut SutAccess<'_>) -> Result<bool, StabilizeError> {
        let mut indices: Vec<usize> = (0..self.tests.len()).collect();
        match round.order {
            Order::Forwards => {}
            Order::Backwards => indices.reverse(),
            Order::Shuffled => indices.shuffle(&mut ChaCha8Rng::seed_from_u64(self.context.seed)),
        }
        self.context.run_once(self.tests, round, indices, access, &mut self.cost).await
    }

    fn api_restarted(&mut self) {
        self.context.forget_sessions();
    }

    fn can_follow(&self) -> bool {
        true
    }

    fn follow(&mut self, url: &str) -> Result<(), StabilizeError> {
        self.context.follow(url)
    }

    fn moving(&self) -> Vec<String> {
        let moving = self.tests.iter().flat_map(|observed| observed.handled(Policy::Disable, &()).1);
        moving
            .filter(|call| !call.moving.is_inferred())
            .map(|call| format!("{} {} {}", call.operation, call.status, call.moving.place))
            .collect()
    }

    fn relabel(&mut self, steps: &[Step]) {
        self.tests.iter_mut().for_each(|observed| observed.relabel_last_run(steps));
    }

    fn recall(&mut self, steps: &[Step]) {
        self.tests.iter_mut().for_each(|observed| observed.recall_last_run(steps));
    }

    fn know(&mut self, own: Vec<Fact>) {
        let own: Arc<[Fact]> = own.into();
        self.tests.iter_mut().for_each(|observed| observed.own(&own));
    }

    fn is_over(&self) -> bool {
        self.context.is_over()
    }

    fn time_left(&self) -> Option<Duration> {
        self.context.limit.remaining()
    }

    async fn within<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        self.context.limit.within(work).await
    }

    fn can_order(&self) -> bool {
        true
    }

    fn cost(&mut self) -> &mut Cost {
        &mut self.cost
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use serde_json::json;
    use steady_model::Method;
    use steady_model::rerun::Condition;

    use super::*;
    use crate::drive::fakes::{
        LoopbackApi, Reply, call, context, equals, observed, response, test_case, unlimited,
    };

    fn tests(count: usize) -> Vec<ObservedTest> {
        let call = |index| call(Method::Get, &format!("/{index}"), vec![equals("x", "a")]);
        let test = |index| observed(test_case(&format!("test_{index}"), vec![call(index)]));
        (0..count).map(test).collect()
    }

    #[tokio::test]
    async fn tests_run_in_the_order_that_is_asked_for() {
        let paths: Arc<Mutex<Vec<String>>> = Arc::default();
        let asked_for = Arc::clone(&paths);
        let api = LoopbackApi::serve(move |asked| {
            asked_for.lock().unwrap().push(asked.path);
            Reply::Json(json!({"x": "a"}))
        });
        let context = context(api.url(), unlimited());
        let mut tests = tests(6);
        let mut suite_tests = SuiteTests { tests: &mut tests, context: &context, cost: Cost::default() };
        let mut runs = Vec::new();
        for order in [Order::Forwards, Order::Backwards, Order::Shuffled, Order::Shuffled] {
            let condition = Condition::default();
            let round = Round { step: Step::Rerun, order, name: "rerun", condition: &condition };
            assert!(suite_tests.run(round, &mut SutAccess::External).await.unwrap());
            runs.push(std::mem::take(&mut *paths.lock().unwrap()));
        }
        let forwards = ["/0", "/1", "/2", "/3", "/4", "/5"];
        assert_eq!(runs[0], forwards);
        assert!(runs[1].iter().rev().eq(&forwards));
        // Shuffled by the seed: another order, and the same one every time.
        assert_ne!(runs[2], runs[0]);
        assert_eq!(runs[2], runs[3]);
        runs[2].sort();
        assert_eq!(runs[2], forwards);
        assert_eq!(suite_tests.cost.to_string(), "rerun x4");
    }

    #[test]
    fn a_place_moves_when_a_run_moved_it_and_not_by_its_form() {
        let context = context("http://127.0.0.1:1", unlimited());
        let mut tests = tests(2);
        let uuid = "f47ac10b-58cc-4372-a567-0e02b2c3d479";
        tests[0].test.calls[0].expect = vec![equals("x", uuid)];
        let see = |test: &mut ObservedTest, step, x: &str| {
            test.record_run(step, [&response(200, &json!({ "x": x }))], &Default::default());
        };
        see(&mut tests[0], Step::Rerun, uuid);
        see(&mut tests[1], Step::Rerun, "a");
        see(&mut tests[0], Step::Restart, uuid);
        see(&mut tests[1], Step::Restart, "b");
        let mut suite_tests = SuiteTests { tests: &mut tests, context: &context, cost: Cost::default() };
        assert_eq!(suite_tests.moving(), ["GET /1 200 body:/x"]);
        suite_tests.relabel(&[]);
        assert!(suite_tests.moving().is_empty());
        suite_tests.recall(&[Step::Reset]);
        assert_eq!(suite_tests.moving(), ["GET /1 200 body:/x"]);
    }
}
