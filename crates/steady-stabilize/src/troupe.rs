//! Trials as a company: tests that steady runs itself.

use std::sync::Arc;
use std::time::Duration;

use chacha20::ChaCha8Rng;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use steady_flaky::Step;
use steady_flaky::infer::Fact;
use steady_flaky::relax::{Policy, Trial};

use crate::company::{Company, Order, Round};
use crate::cost::Cost;
use crate::error::StabilizeError;
use crate::footing::Footing;
use crate::rehearse::Stage;

/// Trials, and what running them takes.
pub(crate) struct Troupe<'a> {
    pub trials: &'a mut [Trial],
    pub stage: &'a Stage<'a>,
    pub cost: Cost,
}

impl Company for Troupe<'_> {
    async fn perform(&mut self, round: Round<'_>, footing: &mut Footing<'_>) -> Result<bool, StabilizeError> {
        let mut indices: Vec<usize> = (0..self.trials.len()).collect();
        match round.order {
            Order::Forwards => {}
            Order::Backwards => indices.reverse(),
            Order::Shuffled => indices.shuffle(&mut ChaCha8Rng::seed_from_u64(self.stage.seed)),
        }
        self.stage.rehearse(self.trials, round, indices, footing, &mut self.cost).await
    }

    fn begin_anew(&mut self) {
        self.stage.begin_anew();
    }

    fn can_follow(&self) -> bool {
        true
    }

    fn follow(&mut self, url: &str) -> Result<(), StabilizeError> {
        self.stage.follow(url)
    }

    fn moving(&self) -> Vec<String> {
        let moving = self.trials.iter().flat_map(|trial| trial.handled(Policy::Disable, &()).1);
        moving
            .filter(|call| call.moving.evidence.iter().any(|step| step != "inferred"))
            .map(|call| format!("{} {} {}", call.operation, call.status, call.moving.place))
            .collect()
    }

    fn relabel(&mut self, steps: &[Step]) {
        self.trials.iter_mut().for_each(|trial| trial.relabel_last(steps));
    }

    fn recall(&mut self, steps: &[Step]) {
        self.trials.iter_mut().for_each(|trial| trial.recall_last(steps));
    }

    fn know(&mut self, own: Vec<Fact>) {
        let own: Arc<[Fact]> = own.into();
        self.trials.iter_mut().for_each(|trial| trial.own(&own));
    }

    fn is_over(&self) -> bool {
        self.stage.is_over()
    }

    fn time_left(&self) -> Option<Duration> {
        self.stage.limit.remaining()
    }

    async fn within<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        self.stage.limit.within(work).await
    }

    fn can_order(&self) -> bool {
        true
    }

    fn cost(&mut self) -> &mut Cost {
        &mut self.cost
    }
}
