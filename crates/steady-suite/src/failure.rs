//! The description of a failed test.

use std::error::Error;
use std::fmt;
use std::iter::successors;

use steady_model::{Call, OperationId, Secrets, TestCase};

use crate::{CallOutcome, TestError};

/// One thing that went wrong in a test. Displays as one line, the differences aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Which call of the test, from zero.
    pub call: usize,
    /// The operation called; `None` when the test ended before.
    pub operation: Option<OperationId>,
    /// What is wrong, in a line.
    pub message: String,
    /// The differing lines, where a line does not show them.
    pub diff: Option<String>,
}

impl Failure {
    /// Without secrets.
    pub fn masked(mut self, secrets: &Secrets) -> Self {
        secrets.mask_in(&mut self.message);
        if let Some(diff) = &mut self.diff {
            secrets.mask_in(diff);
        }
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "call {}", self.call + 1)?;
        if let Some(operation) = &self.operation {
            write!(f, ", {operation}")?;
        }
        write!(f, ": {}", self.message)
    }
}

pub(crate) fn of_call(index: usize, call: &Call, outcome: &CallOutcome) -> Vec<Failure> {
    let failure =
        |message, diff| Failure { call: index, operation: Some(call.operation.clone()), message, diff };
    match &outcome.result {
        Err(error) => vec![failure(with_causes(error), None)],
        Ok(_) => {
            let mismatches = outcome.mismatches.iter();
            mismatches.map(|mismatch| failure(mismatch.to_string(), mismatch.diff.clone())).collect()
        }
    }
}

pub(crate) fn of_error(test: &TestCase, error: &TestError) -> Failure {
    let operation = test.calls.get(error.call()).map(|call| call.operation.clone());
    let message = error.source().map_or_else(|| error.to_string(), with_causes);
    Failure { call: error.call(), operation, message, diff: None }
}

fn with_causes(error: &(dyn Error + 'static)) -> String {
    let causes = successors(Some(error), |error| (*error).source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
