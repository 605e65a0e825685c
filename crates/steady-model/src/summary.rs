//! The figures of a run: `summary.json`.

use serde::{Deserialize, Serialize};

use crate::shard::ShardOfWhole;
use crate::{Matcher, TestCase};

/// What a fuzzing run did, in numbers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// The format's version, [`Self::VERSION`].
    pub version: u32,
    /// The seed, to do it again.
    pub seed: u64,
    /// Which part of the search this was, when several machines share it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<ShardOfWhole>,
    /// How long the run took.
    pub seconds: f64,
    /// Requests sent in all phases.
    pub requests: u64,
    /// Requests per second of the search phase.
    pub requests_per_second: f64,
    /// Operations and how far they were reached.
    pub operations: OperationCounts,
    /// Tests in the suite.
    pub tests: usize,
    /// Assertions in the suite.
    pub assertions: AssertionCounts,
    /// What looking for flaky assertions took, after the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detection: Option<Detection>,
    /// Distinct faults.
    pub faults: usize,
    /// The most memory the process held, in bytes, where the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
}

impl Summary {
    /// The version of the format that this steady writes.
    pub const VERSION: u32 = 1;
}

/// What looking for flaky assertions took.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Detection {
    /// What was done, in order: `rerun x3`, `restart`, `clock +1d3h`.
    pub steps: Vec<String>,
    /// How often all tests were run.
    pub runs: u32,
    /// Requests sent.
    pub requests: u64,
    /// How long it took.
    pub seconds: f64,
    /// What there was no time for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// What could not be changed, because the API is not started by steady: `restart`, `clock`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<String>,
}

/// Operations and how far they were reached.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OperationCounts {
    /// In the document, broken and excluded ones aside.
    pub total: usize,
    /// Answered with a 2xx at least once.
    #[serde(rename = "2xx")]
    pub successful: usize,
    /// Answered at all.
    pub any: usize,
    /// Left alone because calling them would take away the run's own access or stop the API.
    pub protected: usize,
}

/// Assertions by what is left of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AssertionCounts {
    /// As strong as the response allows.
    pub exact: usize,
    /// Weaker, because the value was not the same in every run.
    pub relaxed: usize,
    /// Given up.
    pub disabled: usize,
}

impl AssertionCounts {
    /// Counts the assertions of tests.
    pub fn of(tests: &[TestCase]) -> Self {
        let assertions = tests.iter().flat_map(|test| &test.calls).flat_map(|call| &call.expect);
        let mut counts = Self::default();
        for assertion in assertions {
            match &assertion.matcher {
                Matcher::Disabled => counts.disabled += 1,
                matcher if matcher.is_exact() => counts.exact += 1,
                _ => counts.relaxed += 1,
            }
        }
        counts
    }
}
