//! Something whose tests can be run again, as often as the ladder asks.

use steady_flaky::Step;

use crate::cost::Cost;
use crate::error::StabilizeError;

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

/// Tests and all that was seen of them.
pub(crate) trait Company {
    /// Runs all tests once.
    async fn perform(&mut self, step: Step, order: Order, name: &str) -> Result<(), StabilizeError>;

    /// The API was reset or started anew.
    fn begin_anew(&mut self) {}

    /// The places that are known to move.
    fn moving(&self) -> Vec<String>;

    /// Lets the last run stand for one under each of these steps; for none, forgets it.
    fn relabel(&mut self, steps: &[Step]);

    /// Texts that are this machine's or the API's process's.
    fn know(&mut self, own: Vec<String>);

    /// Whether the user wants it to end.
    fn is_over(&self) -> bool;

    /// Whether the order of its tests can be chosen.
    fn can_order(&self) -> bool;

    /// What was spent so far.
    fn cost(&mut self) -> &mut Cost;
}
