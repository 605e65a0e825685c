//! What the runs say about each value.

use std::collections::BTreeMap;

use steady_stats::{Confidence, Counts, Sample, upper_limit};

use super::Outcome;

/// All runs so far, by value.
///
/// Values are compared by what a wait is: who waits longer sees no less. So a failure speaks against all shorter values, and the
/// passes of a shorter value that never failed speak for a longer one. The passes of a value that failed later speak for nobody: what ended
/// them would be left out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    values: BTreeMap<u64, Tally>,
    /// Runs of the test as it was.
    baseline: u64,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Tally {
    counts: Counts,
    /// Of the runs that passed: a failure ends early, or late.
    milliseconds: Vec<f64>,
}

impl Evidence {
    /// Notes a run with a value.
    pub fn observe(&mut self, ms: u64, outcome: Outcome) {
        let tally = self.values.entry(ms).or_default();
        tally.counts.observe(outcome.passed);
        if outcome.passed {
            tally.milliseconds.push(outcome.milliseconds);
        }
    }

    /// All runs up to here were made with the test as it was.
    pub fn end_baseline(&mut self) {
        self.baseline = self.runs();
    }

    /// The runs with this value.
    pub fn counts(&self, ms: u64) -> Counts {
        self.values.get(&ms).map(|tally| tally.counts).unwrap_or_default()
    }

    /// All runs.
    pub fn runs(&self) -> u64 {
        self.values.values().map(|tally| tally.counts.runs()).sum()
    }

    /// The runs since the test was last run as it was.
    pub fn searched(&self) -> u64 {
        self.runs() - self.baseline
    }

    /// Whether no run passed, whatever the value.
    pub fn never_passed(&self) -> bool {
        self.values.values().all(|tally| tally.counts.passed == 0)
    }

    /// The longest value that failed.
    pub fn longest_failed(&self) -> Option<u64> {
        self.values.iter().rev().find(|(_, tally)| tally.counts.failed > 0).map(|(ms, _)| *ms)
    }

    /// The shortest value that passed and never failed, nor did a longer one.
    pub fn shortest_faultless(&self) -> Option<u64> {
        let failed = self.longest_failed();
        self.values.keys().copied().find(|ms| failed.is_none_or(|failed| *ms > failed))
    }

    /// The passes that speak for a value: its own, and those of shorter values that never failed; none if it failed, or a longer one did.
    pub fn supporting(&self, ms: u64) -> u64 {
        if self.longest_failed().is_some_and(|failed| failed >= ms) {
            return 0;
        }
        let faultless = self.values.range(..=ms).filter(|(_, tally)| tally.counts.failed == 0);
        faultless.map(|(_, tally)| tally.counts.passed).sum()
    }

    /// The failure rate that the runs still allow a value.
    pub fn bound(&self, ms: u64, confidence: Confidence) -> f64 {
        let own = self.counts(ms);
        upper_limit(Counts { passed: self.supporting(ms).max(own.passed), failed: own.failed }, confidence)
    }

    /// How long the runs took that passed with a value.
    pub fn times(&self, ms: u64) -> Option<Sample> {
        Sample::new(self.values.get(&ms)?.milliseconds.iter().copied()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(runs: &[(u64, bool)]) -> Evidence {
        let mut evidence = Evidence::default();
        for (ms, passed) in runs {
            evidence.observe(*ms, Outcome { passed: *passed, milliseconds: 1.0 });
        }
        evidence
    }

    #[test]
    fn a_pass_speaks_for_longer_values_and_a_failure_against_shorter_ones() {
        let evidence = evidence(&[(100, true), (200, true), (200, true), (50, false)]);
        assert_eq!([50, 100, 150, 200, 300].map(|ms| evidence.supporting(ms)), [0, 1, 1, 3, 3]);
    }

    #[test]
    fn the_passes_of_a_value_that_failed_speak_for_nobody() {
        let evidence = evidence(&[(100, true), (100, true), (100, false), (200, true)]);
        assert_eq!(evidence.supporting(200), 1);
        assert_eq!(evidence.longest_failed(), Some(100));
    }

    #[test]
    fn a_hundred_passes_still_allow_three_per_cent() {
        let evidence = evidence(&[(100, true); 100]);
        let bound = evidence.bound(100, Confidence::new(0.95).unwrap());
        assert!((0.029..0.030).contains(&bound), "{bound}");
        assert_eq!(evidence.bound(50, Confidence::default()), 1.0);
    }
}
