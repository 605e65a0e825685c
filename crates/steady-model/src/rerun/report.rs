//! What reruns found: `rerun.json`.

use serde::{Deserialize, Serialize};

use super::{Category, Condition, Perturbation, TestId, Verdict};

/// Everything the reruns of one command found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RerunReport {
    /// The format's version, [`crate::FORMAT_VERSION`].
    pub version: u32,
    /// The command, as it was given.
    pub command: Vec<String>,
    /// The seed of orders and conditions.
    pub seed: u64,
    /// How often the command was run.
    pub runs: u32,
    /// How many single tests were run in all.
    pub executions: u64,
    /// How long all of it took.
    pub seconds: f64,
    /// One report per test, by id.
    pub tests: Vec<TestReport>,
}

/// What the reruns found about one test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestReport {
    /// Which test.
    pub id: TestId,
    /// What the runs say.
    pub verdict: Verdict,
    /// How often it passed and failed with nothing changed around it.
    pub plain: Counts,
    /// How often it passed and failed in all runs.
    pub all: Counts,
    /// How often it fails with nothing changed around it, as far as the runs tell.
    pub rate: Rate,
    /// Why it is not stable, for a test that is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// What changed its outcome.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flips: Vec<Flip>,
    /// The tests that make it fail when they run before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub polluters: Vec<Polluter>,
    /// The first failure beside a pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The median of its durations, where the runner says them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_milliseconds: Option<f64>,
}

/// How often a test passed, failed and was skipped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Passed.
    pub passed: u32,
    /// Failed.
    pub failed: u32,
    /// Skipped.
    pub skipped: u32,
}

impl Counts {
    /// How often it really ran.
    pub fn executed(self) -> u32 {
        self.passed + self.failed
    }
}

/// A failure rate and what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// Failures per execution; absent when there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<f64>,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// How sure the interval is.
    pub confidence: f64,
}

/// A change around the test that changes its outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Flip {
    /// What was changed.
    pub perturbation: Perturbation,
    /// The value that shows it.
    pub value: String,
    /// What the test came to under that change.
    pub counts: Counts,
    /// The chance of seeing this if the change made no difference (Fisher's exact test).
    pub p_value: f64,
}

/// A test that makes another one fail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Polluter {
    /// What has to run before, in this order.
    pub tests: Vec<TestId>,
    /// How often the victim failed after them, and how often it was tried.
    pub failed: u32,
    /// How often it was tried.
    pub tried: u32,
}

/// A failure beside a pass of the same test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The run that failed.
    pub failed_run: u32,
    /// What was changed around it.
    pub condition: Condition,
    /// A run that passed, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed_run: Option<u32>,
    /// What the failure said, shortened.
    pub message: String,
}
