//! Trials as a company: tests that steady runs itself.

use std::sync::Arc;

use chacha20::ChaCha8Rng;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use steady_flaky::Step;
use steady_flaky::relax::{Policy, Trial};

use crate::company::{Company, Order};
use crate::cost::Cost;
use crate::error::StabilizeError;
use crate::rehearse::Stage;

/// Trials, and what running them takes.
pub(crate) struct Troupe<'a> {
    pub trials: &'a mut [Trial],
    pub stage: &'a Stage<'a>,
    pub cost: Cost,
}

impl Company for Troupe<'_> {
    async fn perform(&mut self, step: Step, order: Order, name: &str) -> Result<(), StabilizeError> {
        let mut indices: Vec<usize> = (0..self.trials.len()).collect();
        match order {
            Order::Forwards => {}
            Order::Backwards => indices.reverse(),
            Order::Shuffled => indices.shuffle(&mut ChaCha8Rng::seed_from_u64(self.stage.seed)),
        }
        self.stage.rehearse(self.trials, step, indices, &mut self.cost, name).await
    }

    fn begin_anew(&mut self) {
        self.stage.begin_anew();
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

    fn know(&mut self, own: Vec<String>) {
        let own: Arc<[String]> = own.into();
        self.trials.iter_mut().for_each(|trial| trial.own(&own));
    }

    fn is_over(&self) -> bool {
        self.stage.is_over()
    }

    fn can_order(&self) -> bool {
        true
    }

    fn cost(&mut self) -> &mut Cost {
        &mut self.cost
    }
}
