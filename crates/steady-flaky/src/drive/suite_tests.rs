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
