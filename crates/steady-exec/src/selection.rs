//! A requested run.

use steady_model::rerun::{Condition, TestId};

/// The tests of a run.
#[derive(Debug, Clone, Copy, Default)]
pub enum Selection<'a> {
    /// All there are.
    #[default]
    All,
    /// Only these.
    Only(&'a [TestId]),
    /// Only these, in this order.
    InOrder(&'a [TestId]),
}

/// One run to make.
#[derive(Debug, Clone, Copy)]
pub struct RunPlan<'a> {
    /// Its number.
    pub number: u32,
    /// Its condition.
    pub condition: &'a Condition,
    /// The tests it runs.
    pub selection: Selection<'a>,
    /// All known tests: an order of all has to name them.
    pub known: &'a [TestId],
    /// The order to keep, for a runner that would change it.
    pub keep_order: Option<&'a [TestId]>,
}

impl<'a> RunPlan<'a> {
    /// A run of all tests.
    pub fn new(number: u32, condition: &'a Condition) -> Self {
        Self { number, condition, selection: Selection::All, known: &[], keep_order: None }
    }
}
