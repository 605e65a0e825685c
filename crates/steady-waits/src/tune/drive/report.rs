//! What tuning a wait came to.

use serde::Serialize;
use steady_model::rerun::TestId;

use super::super::{Decided, Effort, PaperEffort, Verdict};
use super::{Bound, Comparison, Loaded};

/// What tuning a wait came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tuned {
    /// How it ended.
    pub verdict: Verdict,
    /// The tests that had to pass; empty: the exit code counted.
    pub tests: Vec<TestId>,
    /// The wait before, in milliseconds; `None`: there was none.
    pub before: Option<u64>,
    /// The shortest value that held, in milliseconds.
    pub after: Option<u64>,
    /// That value with the margin for slower machines.
    pub proposed: Option<u64>,
    /// What the runs of that value support.
    pub bound: Option<Bound>,
    /// The runs of the test as it was that passed and failed.
    pub baseline: Bound,
    /// Execution times of the test as it was and with the value; `None` if one of them never passed.
    pub times: Option<Comparison>,
    /// What became of the value on a busy machine.
    pub loaded: Option<Loaded>,
    /// What it took.
    pub effort: Effort,
    /// What the paper's protocol would have taken to get there.
    pub paper: Option<PaperEffort>,
    /// Every value that was decided about, in order.
    pub values: Vec<Decided>,
    /// How long it all took, in seconds.
    pub seconds: f64,
    /// Whether it was ended from outside, or for lack of time.
    pub interrupted: bool,
}
