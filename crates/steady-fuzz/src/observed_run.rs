//! What one run of a test saw, without the search that ran it.

use steady_flaky::{Observation, Step};
use steady_model::Call;
use steady_suite::Variables;

use crate::execution::Execution;

/// One run of the calls of a test.
#[derive(Debug, Clone)]
pub struct ObservedRun {
    /// The calls, with what they captured.
    pub calls: Vec<Call>,
    /// The responses, one per call.
    pub responses: Vec<Observation>,
    /// The variables at the end.
    pub variables: Variables,
}

impl ObservedRun {
    /// What the first calls of an execution saw; `None` when one of them went unanswered.
    pub fn of(execution: &Execution, length: usize) -> Option<Self> {
        let calls = execution.calls.get(..length)?;
        let observed = |response| Observation::new(Step::Rerun, response);
        let responses =
            calls.iter().map(|call| call.outcome.as_ref().ok().map(observed)).collect::<Option<Vec<_>>>()?;
        let calls = calls.iter().map(|call| call.call.clone()).collect();
        Some(Self { calls, responses, variables: execution.variables.clone() })
    }
}
