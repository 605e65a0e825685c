//! How waits are looked at and tuned.

use std::time::Duration;

use super::{HistoryChoice, RankingChoice, TuneArgs};
use crate::config::WaitsConfig;

/// How long one run of the tests may take when nothing else is said.
const TEST_TIMEOUT: Duration = Duration::from_secs(600);
const RUNS: u32 = 100;
const THRESHOLD: Duration = Duration::from_millis(5);
/// How many commits are looked at when nothing else is said.
pub const HISTORY_DEPTH: usize = 10_000;

/// How a value is looked for once candidates are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The first candidate that holds.
    Static,
    /// Then towards the flaky value, until one holds.
    FirstMatch,
    /// Then towards the flaky value, down to the threshold.
    Dynamic,
}

/// How waits are tuned.
#[derive(Debug, Clone)]
pub struct TuneOptions {
    /// How a value is looked for.
    pub mode: Mode,
    /// The value to begin with instead of candidates.
    pub from: Option<Duration>,
    /// When to stop halving.
    pub threshold: Duration,
    /// How candidates are ranked.
    pub ranking: RankingChoice,
    /// How many commits are looked at; none: history does not count.
    pub history_depth: Option<usize>,
    /// Runs in a row that have to pass.
    pub runs: u32,
    /// What the value is multiplied by in the end.
    pub margin: f64,
    /// The longest one run of the command may take.
    pub test_timeout: Duration,
    /// When no further run is started.
    pub time: Option<Duration>,
}

impl TuneOptions {
    /// Takes the flags, then what `steady.toml` says.
    pub fn resolve(args: &TuneArgs, config: &WaitsConfig) -> Self {
        let mode = match (args.dynamic, args.first_match) {
            (true, _) => Mode::Dynamic,
            (_, true) => Mode::FirstMatch,
            _ => Mode::Static,
        };
        let history = args.history.or(config.history).unwrap_or_default();
        let depth = args.history_depth.or(config.history_depth).map_or(HISTORY_DEPTH, usize::from);
        Self {
            mode,
            from: args.from.map(|span| span.0),
            threshold: args.threshold.or(config.threshold).map_or(THRESHOLD, |span| span.0),
            ranking: args.ranking.or(config.ranking).unwrap_or_default(),
            history_depth: (history == HistoryChoice::On).then_some(depth),
            runs: args.runs.or(config.runs).map_or(RUNS, u32::from),
            margin: args.margin.or(config.margin).map_or(1.0, |factor| factor.0),
            test_timeout: args.test_timeout.or(config.test_timeout).map_or(TEST_TIMEOUT, |span| span.0),
            time: args.time.map(|span| span.0),
        }
    }
}
