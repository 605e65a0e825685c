//! What reruns found: `rerun.json`.

use serde::{Deserialize, Serialize};

use crate::shard::ShardOfWhole;

use super::{Category, Condition, Perturbation, TestId, Verdict};

/// Everything the reruns of one command found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RerunReport {
    /// The format's version, [`Self::VERSION`].
    pub version: u32,
    /// The command, as it was given.
    pub command: Vec<String>,
    /// How sure a decision had to be.
    pub confidence: f64,
    /// How often a test may fail and still count as stable.
    pub flake_rate: f64,
    /// The seed of orders and conditions.
    pub seed: u64,
    /// How often the command was run.
    pub runs: u32,
    /// How many single tests were run in all.
    pub executions: u64,
    /// How long all of it took.
    pub seconds: f64,
    /// Which part of the tests this is about, when several machines share them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<ShardOfWhole>,
    /// What was to be changed around the tests and was not, so that nothing is known about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_tried: Vec<NotTried>,
    /// One report per test, by id.
    pub tests: Vec<TestReport>,
}

impl RerunReport {
    /// The version of the format that this steady writes.
    pub const VERSION: u32 = 1;
}

/// A perturbation that was not tried, wholly or in part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NotTried {
    /// Which one.
    pub perturbation: Perturbation,
    /// The values that were left; empty where there are none to try on this machine or with this command.
    pub values: Vec<String>,
    /// How many of its values were tried.
    pub tried: u32,
    /// Why.
    pub reason: Reason,
}

/// Why a perturbation was not tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The time given to all runs was over.
    Time,
    /// The user interrupted the runs.
    Interrupted,
    /// The runs given to explain flaky tests were made.
    Explain,
    /// A run could not be made.
    Error,
    /// The machine or the command does not allow it.
    Unsupported,
}

/// What the reruns found about one test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// The tests whose running before it decides its outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dependence: Option<Dependence>,
    /// The first failure beside a pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The median of its durations, where the runner says them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_milliseconds: Option<f64>,
}

/// How often a test passed, failed and was skipped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// Tests whose running before another one decides its outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Dependence {
    /// What they do to it.
    pub role: Role,
    /// The fewest that do it, in the order they ran.
    pub tests: Vec<TestId>,
    /// How often it showed again when just these and the test were run.
    pub confirmed: u32,
    /// How often that was tried.
    pub tried: u32,
}

/// What tests that run before another one do to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// They leave something behind that makes it fail.
    Polluter,
    /// They leave something behind without which it fails.
    Setter,
}

/// A failure beside a pass of the same test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
