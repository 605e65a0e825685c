//! What many runs say about a test.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What many runs of the same code say about a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It both passed and failed.
    Flaky,
    /// It failed whenever it ran, often enough to say so.
    Broken,
    /// It only passes as long as nothing around it changes.
    Sensitive,
    /// It passed whenever it ran, often enough to say so.
    Stable,
    /// It has not run often enough to tell.
    Undecided,
    /// It never ran.
    Skipped,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Flaky => "flaky",
            Self::Broken => "broken",
            Self::Sensitive => "sensitive",
            Self::Stable => "stable",
            Self::Undecided => "undecided",
            Self::Skipped => "skipped",
        })
    }
}

/// Why a test or a value is not the same in every run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Category {
    /// The date, the time of day, the time zone.
    Time,
    /// Numbers drawn at random.
    Rand,
    /// Keys, salts, signatures.
    Crypt,
    /// The order of a collection that has none.
    Unord,
    /// Messages of the runtime: object identities, addresses.
    RunMsg,
    /// What other tests or earlier runs left behind.
    State,
    /// The machine: folders, language, names.
    Env,
    /// It waits too little, or not for the right thing: only a busy machine or a slow network shows it.
    Async,
    /// Not known.
    Unk,
}

impl Category {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "Time",
            Self::Rand => "Rand",
            Self::Crypt => "Crypt",
            Self::Unord => "Unord",
            Self::RunMsg => "RunMsg",
            Self::State => "State",
            Self::Env => "Env",
            Self::Async => "Async",
            Self::Unk => "Unk",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
