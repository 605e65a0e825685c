//! How a wait is tuned.

use serde::Serialize;
use steady_stats::Confidence;

/// Which values are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// The candidates as they come, until one holds.
    Static,
    /// The candidates until one seems to hold, then shorter values until the first that holds.
    FirstMatch,
    /// The candidates until one seems to hold, then bisection down to the threshold.
    Dynamic,
    /// As [`Dynamic`](Self::Dynamic), from the value a developer chose.
    Fatb {
        /// That value, in milliseconds.
        from: u64,
    },
    /// A shorter value for a wait that holds.
    Shrink,
}

/// How a wait is tuned.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Which values are tried.
    pub strategy: Strategy,
    /// What the wait is now, in milliseconds; `None`: there is none yet.
    pub before: Option<u64>,
    /// How often a value has to pass, without one failure, before it is proposed.
    pub runs: u64,
    /// Two values closer than this, in milliseconds, are not told apart.
    pub threshold: u64,
    /// How many values are tried after the candidates at most.
    pub tries: u64,
    /// How often the longest value is doubled when no candidate held.
    pub longer: usize,
    /// How often the test is run as it is, at most, to see it fail; 0: it is known to.
    pub baseline: u64,
    /// How sure the bound has to be that is printed with the result.
    pub confidence: Confidence,
    /// What the value is multiplied by for slower machines.
    pub margin: f64,
    /// How many runs the way to the last value may take; `None`: what its confirmation leaves of a fifth of the runs that
    /// [`paper`](super::paper()) would take. With more, tests with a long tail get shorter values; with every value that is confirmed,
    /// one that fails seldom has another chance to slip through.
    pub search: Option<u64>,
    /// How many runs are made at most; `None`: as many as it takes.
    pub most: Option<u64>,
}

/// What TRaf was evaluated with: 100 runs, 5 ms.
impl Default for Settings {
    fn default() -> Self {
        Self {
            strategy: Strategy::Static,
            before: None,
            runs: 100,
            threshold: 5,
            tries: 32,
            longer: 0,
            baseline: 20,
            confidence: Confidence::new(0.95).unwrap_or_default(),
            margin: 1.0,
            search: None,
            most: None,
        }
    }
}

impl Settings {
    /// What the way to the last value may take, if the paper's protocol would try this many values: with few of them a
    /// confirmation alone is more than a fifth, and the search gets what it needs when nothing fails on the way.
    pub(super) fn budget(&self, paper_tries: u64) -> u64 {
        const LEAST_PER_TRY: u64 = 5;
        let fifth = (paper_tries * self.runs / 5).saturating_sub(self.runs);
        self.search.unwrap_or_else(|| fifth.max(paper_tries * LEAST_PER_TRY))
    }
}
