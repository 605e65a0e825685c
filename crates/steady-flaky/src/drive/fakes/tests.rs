//! A set of tests that takes as long and notices as much as it is made to.

use std::collections::BTreeSet;
use std::time::Duration;

use steady_model::rerun::Perturbation;
use tokio::time::sleep;

use super::Log;
use crate::Step;
use crate::drive::cost::Cost;
use crate::drive::error::StabilizeError;
use crate::drive::limit::Limit;
use crate::drive::sut_access::SutAccess;
use crate::drive::test_set::{Order, Round, TestSet};
use crate::infer::Fact;

/// Tests that log what is done to them.
pub(crate) struct FakeTests {
    pub log: Log,
    pub limit: Limit,
    /// How long a run of all of them takes.
    pub run_takes: Duration,
    /// The changes that move one of their values.
    pub sensitive_to: Vec<Perturbation>,
    pub can_follow: bool,
    pub can_order: bool,
    pub facts: Vec<Fact>,
    pub moving: BTreeSet<String>,
    /// What the last run moved.
    pub last: BTreeSet<String>,
    pub cost: Cost,
}

impl FakeTests {
    pub fn new(log: &Log, limit: Limit) -> Self {
        Self {
            log: log.clone(),
            limit,
            run_takes: Duration::ZERO,
            sensitive_to: Vec::new(),
            can_follow: true,
            can_order: true,
            facts: Vec::new(),
            moving: BTreeSet::new(),
            last: BTreeSet::new(),
            cost: Cost::default(),
        }
    }
}

fn names(steps: &[Step]) -> String {
    steps.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl TestSet for FakeTests {
    async fn run(&mut self, round: Round<'_>, _: &mut SutAccess<'_>) -> Result<bool, StabilizeError> {
        let order = match round.order {
            Order::Forwards => "",
            Order::Backwards => ", last test first",
            Order::Shuffled => ", shuffled",
        };
        self.log.add(format!("run {}{order}", round.name));
        let noticed = self.sensitive_to.iter().filter(|what| round.condition.0.contains_key(what));
        self.last = noticed.map(|what| format!("a value of {what}")).collect();
        self.moving.extend(self.last.clone());
        let complete = self.limit.within(sleep(self.run_takes)).await.is_some();
        self.cost.add(round.name, 1, self.run_takes);
        Ok(complete)
    }

    fn api_restarted(&mut self) {
        self.log.add("sessions closed");
    }

    fn can_follow(&self) -> bool {
        self.can_follow
    }

    fn follow(&mut self, url: &str) -> Result<(), StabilizeError> {
        self.log.add(format!("follow {url}"));
        Ok(())
    }

    fn moving(&self) -> Vec<String> {
        self.moving.iter().cloned().collect()
    }

    fn relabel(&mut self, steps: &[Step]) {
        if steps.is_empty() {
            self.log.add("forget the run");
            let last = std::mem::take(&mut self.last);
            self.moving.retain(|place| !last.contains(place));
        } else {
            self.log.add(format!("label the run {}", names(steps)));
        }
    }

    fn recall(&mut self, steps: &[Step]) {
        self.log.add(format!("recall the run as {}", names(steps)));
    }

    fn know(&mut self, own: Vec<Fact>) {
        self.facts = own;
    }

    fn is_over(&self) -> bool {
        self.limit.is_over()
    }

    fn time_left(&self) -> Option<Duration> {
        self.limit.remaining()
    }

    async fn within<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        self.limit.within(work).await
    }

    fn can_order(&self) -> bool {
        self.can_order
    }

    fn cost(&mut self) -> &mut Cost {
        &mut self.cost
    }
}
