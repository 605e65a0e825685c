//! What a condition changes around a run.

use std::time::Duration;

/// An environment variable to set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: String,
    /// What to do with an existing value.
    pub before: Before,
}

/// What to do with a value that a variable already has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// Replace it.
    Replaced,
    /// Append to it, after this separator.
    JoinedBy(&'static str),
    /// Keep it.
    Kept,
}

/// What a condition changes around a run; the default changes nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Environment variables.
    pub variables: Vec<Variable>,
    /// The seed of the order of tests.
    pub order: Option<u64>,
    /// How many other threads per core are busy.
    pub load: Option<u32>,
    /// By how many seconds the wall clock is ahead.
    pub clock_shift: Option<i64>,
    /// The seed of the system's random numbers.
    pub random: Option<u64>,
    /// The name of a new folder for temporary files.
    pub temporary_folder: Option<&'static str>,
    /// The delay of a new connection.
    pub latency: Option<Duration>,
    /// Whether the preload shim is loaded even if nothing needs it yet, so that it can be [steered](crate::steer()) later.
    pub steerable: bool,
}

impl Overrides {
    /// Sets a variable.
    pub fn set(&mut self, name: &'static str, value: impl Into<String>) {
        self.variables.push(Variable { name, value: value.into(), before: Before::Replaced });
    }

    /// Sets a variable that has no value yet.
    pub fn set_unless_given(&mut self, name: &'static str, value: impl Into<String>) {
        self.variables.push(Variable { name, value: value.into(), before: Before::Kept });
    }

    /// Adds to a variable that holds a list of options.
    pub fn append(&mut self, name: &'static str, value: impl Into<String>) {
        self.variables.push(Variable { name, value: value.into(), before: Before::JoinedBy(" ") });
    }

    /// Whether the preload shim is needed.
    pub fn needs_shim(&self) -> bool {
        self.steerable || self.clock_shift.is_some() || self.random.is_some() || self.latency.is_some()
    }
}
