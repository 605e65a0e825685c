//! Tests that can be run again, as often as a detection plan asks.

use std::time::Duration;

use crate::Step;
use crate::infer::Fact;
use steady_model::rerun::Condition;

use crate::drive::cost::Cost;
use crate::drive::error::StabilizeError;
use crate::drive::sut_access::SutAccess;

/// The order of the tests in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// As they are.
    Forwards,
    /// The last first.
    Backwards,
    /// In any.
    Shuffled,
}

/// A run of all tests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Round<'a> {
    /// What it stands for.
    pub step: Step,
    /// In which order the tests are run.
    pub order: Order,
    /// What it is called.
    pub name: &'a str,
    /// What the API is started under when it dies during the run.
    pub condition: &'a Condition,
}

/// Tests and all that was seen of them.
pub(crate) trait TestSet {
    /// Runs all tests once; says whether it got to the last.
    async fn run(&mut self, round: Round<'_>, access: &mut SutAccess<'_>) -> Result<bool, StabilizeError>;

    /// The API was reset or restarted: it knows no session any more.
    fn api_restarted(&mut self) {}

    /// Whether its tests can be run against another address.
    fn can_follow(&self) -> bool {
        false
    }

    /// The API is at another address now.
    fn follow(&mut self, _url: &str) -> Result<(), StabilizeError> {
        Ok(())
    }

    /// The places that are known to move.
    fn moving(&self) -> Vec<String>;

    /// Lets the last run stand for one under each of these steps; for none, forgets it.
    fn relabel(&mut self, steps: &[Step]);

    /// Lets the run that was forgotten last stand for one under each of these steps after all.
    fn recall(&mut self, steps: &[Step]);

    /// Texts that are this machine's or the API's process's.
    fn know(&mut self, own: Vec<Fact>);

    /// The command that runs the tests; empty when steady runs them itself.
    fn command(&self) -> String {
        String::new()
    }

    /// Whether it has to end.
    fn is_over(&self) -> bool;

    /// How much time is left; `None` when nothing limits it.
    fn time_left(&self) -> Option<Duration> {
        None
    }

    /// What `work` yields, unless the time is over before.
    async fn within<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        Some(work.await)
    }

    /// Whether the order of its tests can be chosen.
    fn can_order(&self) -> bool;

    /// What was spent so far.
    fn cost(&mut self) -> &mut Cost;
}
