//! What shortening the waits of a suite came to.

use std::path::PathBuf;

use serde::Serialize;

use super::super::Verdict;
use super::{Bound, Comparison};

/// What shortening the waits of a suite came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shrunk {
    /// All waits that were given, in the order they were tried.
    pub waits: Vec<ShrunkWait>,
    /// What the runs with all shorter waits together support; `None` if there are none.
    pub together: Option<Bound>,
    /// Whether those runs are as many as were asked for, and none of them failed.
    pub verified: bool,
    /// The milliseconds by which the waits are shorter, all together.
    pub shorter_by: u64,
    /// How long the command takes before and after.
    pub times: Option<Comparison>,
    /// Tests that do not count: they failed before anything was changed, or without a shorter wait in their file.
    pub flaky: Vec<String>,
    /// Runs of the command, all together.
    pub runs: u64,
    /// How long it all took, in seconds.
    pub seconds: f64,
    /// Whether it was ended from outside, or for lack of time or runs.
    pub interrupted: bool,
}

/// A wait of a suite, before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShrunkWait {
    /// Its file, relative to the project.
    pub path: PathBuf,
    /// Its line, from 1.
    pub line: usize,
    /// Its column, from 1.
    pub column: usize,
    /// What it was, in milliseconds.
    pub before: u64,
    /// What it becomes; the same when no shorter value held.
    pub after: u64,
    /// How its own search ended; `None`: it was not tried.
    pub verdict: Option<Verdict>,
    /// Whether shorter values held alone, but none when all were run together.
    pub withdrawn: bool,
    /// The runs that tried it; most of them tried other waits too.
    pub runs: u64,
}
