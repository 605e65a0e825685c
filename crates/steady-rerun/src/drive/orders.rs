//! The orders that tests ran in.

use std::collections::BTreeSet;

use steady_model::rerun::{Condition, Perturbation, Run, TestId};

/// The orders tests ran in, for finding out what ran before a failure.
#[derive(Debug, Default)]
pub struct Orders {
    /// Of the first run.
    pub first: Vec<TestId>,
    /// Of every run in another order.
    pub others: Vec<Run>,
    /// Whether the runner itself changes it from run to run, as Jest does after a failure.
    varies: bool,
}

impl Orders {
    /// The order to keep where randomness is fixed: what a test draws depends on how much others drew before it.
    pub fn to_keep(&self, condition: &Condition) -> Option<&[TestId]> {
        let fixed = condition.0.contains_key(&Perturbation::Random);
        (fixed && self.varies).then_some(self.first.as_slice())
    }

    /// Adds a finished run.
    pub fn observe(&mut self, run: &Run) {
        let mut before = BTreeSet::new();
        let tests: Vec<&TestId> =
            run.results.iter().map(|result| &result.id).filter(|id| before.insert(*id)).collect();
        if self.first.is_empty() {
            self.first = tests.into_iter().cloned().collect();
        } else if run.condition.is_plain() {
            self.varies |= !tests.into_iter().eq(&self.first);
        }
        if run.condition.0.contains_key(&Perturbation::Order) {
            self.others.push(run.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use steady_model::rerun::{Ending, Outcome};

    use super::*;
    use crate::testing::run;

    #[test]
    fn an_order_that_the_runner_changes_is_kept_while_randomness_is_fixed() {
        let random = Condition::of(Perturbation::Random, "1");
        let first = [("a", Outcome::Failed), ("a", Outcome::Passed), ("b", Outcome::Passed)];
        let mut orders = Orders::default();
        orders.observe(&run(1, Ending::Exited(0), &first));
        // A missing attempt is not another order.
        orders.observe(&run(2, Ending::Exited(0), &first[1..]));
        assert_eq!(orders.to_keep(&random), None);
        orders.observe(&run(3, Ending::Exited(0), &[("b", Outcome::Passed), ("a", Outcome::Passed)]));
        assert_eq!(orders.to_keep(&random), Some(["a", "b"].map(TestId::from).as_slice()));
        assert_eq!(orders.to_keep(&Condition::of(Perturbation::Hash, "1")), None);
    }
}
