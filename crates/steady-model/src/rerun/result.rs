//! One execution of a test command and what each test made of it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Condition;

/// Names a test, the same in every run: `tests/test_cart.py::TestCart::test_total[3]`.
///
/// The parts are what the runner uses to find the test, from the file inwards, joined by `::`. Nothing that differs
/// between runs belongs into it: no absolute folder, no retry number, no time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct TestId(String);

impl TestId {
    /// The parts of an id, from the file inwards; empty ones are left out.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        Self(parts.join("::"))
    }

    /// The whole id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for TestId {
    fn from(id: &str) -> Self {
        Self(id.to_owned())
    }
}

impl fmt::Display for TestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a test came to in one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It passed.
    Passed,
    /// It failed, broke off with an error, or ran out of time.
    Failed,
    /// It was not run on purpose.
    Skipped,
}

/// One test in one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TestResult {
    /// Which test.
    pub id: TestId,
    /// What it came to.
    pub outcome: Outcome,
    /// How long it took, where the runner says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<f64>,
    /// Why it failed or was skipped, shortened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// How the test command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// With this exit code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// It took too long and was ended.
    TimedOut,
    /// It was ended because the user asked to stop.
    Stopped,
}

impl Ending {
    /// Whether the command says that all is well.
    pub fn is_success(self) -> bool {
        self == Self::Exited(0)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "exit code {code}"),
            Self::Signalled(signal) => write!(f, "signal {signal}"),
            Self::TimedOut => f.write_str("timeout"),
            Self::Stopped => f.write_str("stopped"),
        }
    }
}

/// One execution of the test command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Run {
    /// Its number, from 1.
    pub number: u32,
    /// What was changed around it.
    pub condition: Condition,
    /// How the command ended.
    pub ending: Ending,
    /// How long the command took.
    pub milliseconds: f64,
    /// The tests it ran.
    pub results: Vec<TestResult>,
    /// The end of what it printed, shortened.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub excerpt: String,
}
