//! Answers that came out otherwise when the same calls were made again.

use steady_model::OperationId;

use super::draft::Draft;
use crate::execution::{Executed, Execution};
use crate::observed_run::ObservedRun;

/// A call that was answered with another status, the calls being the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Otherwise {
    /// What was called.
    pub operation: OperationId,
    /// The status the test expects.
    pub status: u16,
    /// The other one.
    pub other: u16,
}

impl Draft {
    /// Remembers the first call that an earlier run of the same calls saw answered with another status; those after it only follow.
    pub fn remember_change(&mut self, earlier: &ObservedRun, execution: &Execution) {
        let answers = earlier.calls.iter().zip(&earlier.responses).zip(&execution.calls);
        let mut changed = answers.filter_map(|((call, response), executed)| {
            let (operation, status, other) =
                (call.operation.clone(), response.response.status, executed.status()?);
            (status != other).then_some(Otherwise { operation, status, other })
        });
        if let Some(otherwise) = changed.next() {
            self.remember(otherwise);
        }
    }

    /// Remembers that the last call of the test was answered with another status when it was made before, in the very same words.
    pub fn remember_repetition(&mut self, execution: &Execution) {
        let Some([before @ .., last]) = execution.calls.get(..self.length) else { return };
        let same = before.iter().rev().find(|call| call.request == last.request);
        let (Some(other), Some(status)) = (same.and_then(Executed::status), last.status()) else { return };
        if status != other {
            self.remember(Otherwise { operation: last.call.operation.clone(), status, other });
        }
    }

    fn remember(&mut self, otherwise: Otherwise) {
        if !self.otherwise.contains(&otherwise) {
            self.otherwise.push(otherwise);
        }
    }

    /// What was answered otherwise of the calls that the test still makes, with the status it still expects.
    pub fn answered_otherwise(&self) -> impl Iterator<Item = &Otherwise> {
        let still_made = |otherwise: &&Otherwise| {
            let answers = self.runs.last().map(|run| run.calls.iter().zip(&run.responses).take(self.length));
            answers.into_iter().flatten().any(|(call, response)| {
                call.operation == otherwise.operation && response.response.status == otherwise.status
            })
        };
        self.otherwise.iter().filter(still_made)
    }
}
