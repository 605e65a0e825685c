//! What is told while values are tried.

use std::path::PathBuf;

use serde::Serialize;

use super::super::{Decided, Strategy, Verdict, Why};

/// Hears of everything as it happens.
pub type Tell<'a> = &'a mut dyn FnMut(TuneEvent);

/// Something happened. A stream begins with [`Started`](Self::Started) and, unless there is an error, ends with [`Finished`](Self::Finished).
/// When several waits are shortened, they take turns: [`Concerning`](Self::Concerning) says whose it is, and each has its own
/// [`Finished`](Self::Finished); runs of all of them follow.
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
    /// One of several waits: what follows is about it, up to the next of these.
    Concerning {
        /// Its file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What it is, in milliseconds.
        ms: u64,
    },
    /// A run of several waits at once, each with its value, is about to begin.
    RoundStarted {
        /// How many.
        waits: usize,
    },
    /// A value is about to be run, once or several times.
    AttemptStarted {
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
    /// All is decided about a wait.
    Finished(Verdict),
}

#[cfg(test)]
mod tests {
    use super::super::super::Standing;
    use super::*;

    #[test]
    fn an_event_is_one_flat_object_with_its_type() {
        let json = |event: TuneEvent| serde_json::to_string(&event).unwrap();
        let why = Why::Between { low: 150, high: 500 };
        assert_eq!(
            json(TuneEvent::AttemptStarted { ms: 325, why }),
            r#"{"type":"attempt_started","ms":325,"why":{"for":"between","low":150,"high":500}}"#
        );
        let decided = Decided { ms: 325, standing: Standing::Promising, runs: 3, passed: 3 };
        assert_eq!(
            json(TuneEvent::ValueDecided(decided)),
            r#"{"type":"value_decided","ms":325,"standing":"promising","runs":3,"passed":3}"#
        );
        assert_eq!(
            json(TuneEvent::Finished(Verdict::Held { ms: 179 })),
            r#"{"type":"finished","verdict":"held","ms":179}"#
        );
    }
}
