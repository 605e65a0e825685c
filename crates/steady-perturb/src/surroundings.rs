//! What a run finds around it.

use std::time::Duration;

/// An environment variable to set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: String,
    /// What stands between its value and one that was there before; `None`: the value before is replaced.
    pub joined_by: Option<&'static str>,
}

/// What a run finds around it; the default changes nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// Environment variables.
    pub variables: Vec<Variable>,
    /// The seed of the order of tests.
    pub order: Option<u64>,
    /// How many threads per core do other work.
    pub load: Option<u32>,
    /// By how many seconds the wall clock is ahead.
    pub clock_shift: Option<i64>,
    /// The seed of what the system draws at random.
    pub random: Option<u64>,
    /// The name of a new folder for temporary files.
    pub temporary_folder: Option<&'static str>,
    /// How much longer a connection takes to be made.
    pub latency: Option<Duration>,
    /// Whether the preload shim is there even if nothing of this needs it, so that it can be [steered](crate::steer()) later.
    pub steerable: bool,
}

impl Surroundings {
    /// Sets a variable.
    pub fn set(&mut self, name: &'static str, value: impl Into<String>) {
        self.variables.push(Variable { name, value: value.into(), joined_by: None });
    }

    /// Adds to a variable that holds a list of options.
    pub fn append(&mut self, name: &'static str, value: impl Into<String>) {
        self.variables.push(Variable { name, value: value.into(), joined_by: Some(" ") });
    }

    /// Whether the preload shim is needed.
    pub fn needs_shim(&self) -> bool {
        self.steerable || self.clock_shift.is_some() || self.random.is_some() || self.latency.is_some()
    }
}
