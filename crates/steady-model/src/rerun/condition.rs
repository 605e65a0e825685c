//! What is changed around a run, to see which tests notice.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Something around the tests that may change without a change of the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Perturbation {
    /// The order of the tests.
    Order,
    /// Other work on the processor.
    Load,
    /// The wall clock.
    Clock,
    /// The time zone.
    Tz,
    /// The language and its formats.
    Locale,
    /// The folder for temporary files.
    Tmp,
    /// The seeds of hash tables.
    Hash,
    /// The numbers the system draws at random.
    Random,
    /// How long the network on this machine takes.
    Latency,
}

impl Perturbation {
    /// All of them, in the order they are tried.
    pub const ALL: [Self; 9] = [
        Self::Order,
        Self::Hash,
        Self::Random,
        Self::Clock,
        Self::Tz,
        Self::Locale,
        Self::Tmp,
        Self::Load,
        Self::Latency,
    ];

    /// Its name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Load => "load",
            Self::Clock => "clock",
            Self::Tz => "tz",
            Self::Locale => "locale",
            Self::Tmp => "tmp",
            Self::Hash => "hash",
            Self::Random => "random",
            Self::Latency => "latency",
        }
    }
}

impl fmt::Display for Perturbation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No perturbation has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown perturbation `{name}`")]
pub struct ParsePerturbationError {
    /// What was written.
    pub name: String,
}

impl FromStr for Perturbation {
    type Err = ParsePerturbationError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|perturbation| perturbation.name() == name)
            .ok_or_else(|| ParsePerturbationError { name: name.to_owned() })
    }
}

/// What was changed around a run, each with the value it was changed to; empty: nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Condition(pub BTreeMap<Perturbation, String>);

impl Condition {
    /// One change.
    pub fn of(perturbation: Perturbation, value: impl Into<String>) -> Self {
        Self(BTreeMap::from([(perturbation, value.into())]))
    }

    /// Whether nothing was changed.
    pub fn is_plain(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_plain() {
            return f.write_str("plain");
        }
        for (index, (perturbation, value)) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{perturbation} {value}")?;
        }
        Ok(())
    }
}
