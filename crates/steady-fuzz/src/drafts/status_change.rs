//! Calls that were answered with another status when they were made again.

use steady_model::OperationId;

use super::draft::Draft;
use crate::execution::{Executed, Execution};
use crate::observed_run::ObservedRun;

/// A call that was answered with another status, the calls being the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusChange {
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
            (status != other).then_some(StatusChange { operation, status, other })
        });
        if let Some(change) = changed.next() {
            self.remember(change);
        }
    }

    /// Remembers that the last call of the test was answered with another status when it was made before, in the very same words.
    pub fn remember_repetition(&mut self, execution: &Execution) {
        let Some([before @ .., last]) = execution.calls.get(..self.length) else { return };
        let same = before.iter().rev().find(|call| call.request == last.request);
        let (Some(other), Some(status)) = (same.and_then(Executed::status), last.status()) else { return };
        if status != other {
            self.remember(StatusChange { operation: last.call.operation.clone(), status, other });
        }
    }

    fn remember(&mut self, change: StatusChange) {
        if !self.status_changes.contains(&change) {
            self.status_changes.push(change);
        }
    }

    /// The changes of calls that the test still makes, with the status it still expects.
    pub fn remaining_status_changes(&self) -> impl Iterator<Item = &StatusChange> {
        let still_made = |change: &&StatusChange| {
            let answers = self.runs.last().map(|run| run.calls.iter().zip(&run.responses).take(self.length));
            answers.into_iter().flatten().any(|(call, response)| {
                call.operation == change.operation && response.response.status == change.status
            })
        };
        self.status_changes.iter().filter(still_made)
    }
}
