//! How waits are looked at and tuned.

use std::time::Duration;

use steady_waits::locate::Ranking;
use steady_waits::tune::Strategy;

use super::TuneArgs;
use crate::config::WaitsConfig;

/// How long one run of the tests may take when nothing else is said.
const TEST_TIMEOUT: Duration = Duration::from_secs(600);
const RUNS: u32 = 100;
const THRESHOLD: Duration = Duration::from_millis(5);
/// How many commits are looked at when nothing else is said.
pub const HISTORY_DEPTH: usize = 10_000;

/// How waits are tuned.
#[derive(Debug, Clone)]
pub struct TuneOptions {
    /// How a value is looked for.
    pub strategy: Strategy,
    /// When to stop halving.
    pub threshold: Duration,
    /// How candidates are ranked.
    pub ranking: Ranking,
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
        let strategy = match args.from {
            Some(from) => Strategy::Fatb { from: milliseconds(from.0) },
            None if args.dynamic => Strategy::Dynamic,
            None if args.first_match => Strategy::FirstMatch,
            None => Strategy::Static,
        };
        let history = args.history.or(config.history).is_none_or(|switch| switch.0);
        let depth = args.history_depth.or(config.history_depth).map_or(HISTORY_DEPTH, usize::from);
        Self {
            strategy,
            threshold: args.threshold.or(config.threshold).map_or(THRESHOLD, |span| span.0),
            ranking: args.ranking.or(config.ranking).unwrap_or_default(),
            history_depth: history.then_some(depth),
            runs: args.runs.or(config.runs).map_or(RUNS, u32::from),
            margin: args.margin.or(config.margin).map_or(1.0, |factor| factor.0),
            test_timeout: args.test_timeout.or(config.test_timeout).map_or(TEST_TIMEOUT, |span| span.0),
            time: args.time.map(|span| span.0),
        }
    }
}

/// A length of time as the engine counts it.
pub fn milliseconds(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
