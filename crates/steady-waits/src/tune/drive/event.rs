//! What is told while values are tried.

use std::path::PathBuf;

use serde::Serialize;

use super::super::{Decided, Strategy, Verdict, Why};

/// Hears of everything as it happens.
pub type Tell<'a> = &'a mut dyn FnMut(TuneEvent);

/// Something happened. A stream begins with [`Started`](Self::Started) and, unless there is an error, ends with [`Finished`](Self::Finished);
/// when several waits are shortened, there is one such stretch for each, between [`WaitStarted`](Self::WaitStarted) and the next.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TuneEvent {
    /// Values are about to be tried.
    Started {
        /// How.
        strategy: Strategy,
        /// The wait as it is, in milliseconds.
        before: Option<u64>,
        /// Values to try, in their order.
        candidates: Vec<u64>,
    },
    /// The next of several waits.
    WaitStarted {
        /// Its file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What it is, in milliseconds.
        ms: u64,
    },
    /// A value is about to be run, once or several times.
    TrialStarted {
        /// In milliseconds.
        ms: u64,
        /// What for.
        why: Why,
    },
    /// A run has ended.
    RunFinished {
        /// The value, in milliseconds.
        ms: u64,
        /// Whether the test passed.
        passed: bool,
        /// How long the test took.
        milliseconds: f64,
        /// Whether the machine was kept busy meanwhile.
        loaded: bool,
    },
    /// Enough is known of a value, for now.
    ValueDecided(Decided),
    /// All shortened waits are about to be run together.
    TogetherStarted {
        /// How many.
        waits: usize,
        /// How often they have to pass.
        runs: u64,
    },
    /// A run of all shortened waits has ended.
    TogetherFinished {
        /// Whether all tests passed that passed before.
        passed: bool,
        /// How long the command took.
        milliseconds: f64,
    },
    /// Something the user should know.
    Note {
        /// What.
        message: String,
    },
    /// All is decided.
    Finished(Verdict),
}
