//! What runs prove, in numbers.

use std::fmt;

use serde::Serialize;
use steady_stats::{Confidence, Counts, Sample, a12, mann_whitney, shift, upper_limit};

/// What the runs of a value support.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bound {
    /// Runs that passed, shorter values that never failed included.
    pub passed: u64,
    /// Runs that failed.
    pub failed: u64,
    /// The failure rate that is still possible.
    pub allows: f64,
    /// How sure that is.
    pub confidence: f64,
}

impl Bound {
    /// What these runs support.
    pub fn of(counts: Counts, confidence: Confidence) -> Self {
        let Counts { passed, failed } = counts;
        Self { passed, failed, allows: upper_limit(counts, confidence), confidence: confidence.get() }
    }
}

/// `100 of 100 passed, which still allows 3.0 % failures at 95 %`
impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} passed, which still allows {:.1} % failures at {:.0} %",
            self.passed,
            self.passed + self.failed,
            100.0 * self.allows,
            100.0 * self.confidence
        )
    }
}

/// Execution times before and after, of runs that passed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Comparison {
    /// The median before, in milliseconds.
    pub before: f64,
    /// The median after, in milliseconds.
    pub after: f64,
    /// How likely such a difference is by chance (Mann–Whitney, two-sided).
    pub p: f64,
    /// How likely a run before takes longer than one after (Vargha–Delaney).
    pub a12: f64,
    /// What a run takes less, in milliseconds (Hodges–Lehmann); negative when it takes longer.
    pub saved: f64,
    /// The ends of what the runs support for that; `None` with too few runs.
    pub saved_between: Option<(f64, f64)>,
}

impl Comparison {
    /// Compares two samples.
    pub fn of(before: &Sample, after: &Sample, confidence: Confidence) -> Self {
        let saved = shift(before, after, confidence);
        Self {
            before: before.median(),
            after: after.median(),
            p: mann_whitney(before, after).p,
            a12: a12(before, after).get(),
            saved: saved.estimate,
            saved_between: saved.interval.map(|interval| (interval.low, interval.high)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_of_a_hundred_say_what_they_allow() {
        let bound = Bound::of(Counts { passed: 100, failed: 0 }, Confidence::new(0.95).unwrap());
        assert_eq!(bound.to_string(), "100 of 100 passed, which still allows 3.0 % failures at 95 %");
    }

    #[test]
    fn what_takes_less_is_saved() {
        let sample = |from: u32| Sample::new((from..from + 10).map(f64::from)).unwrap();
        let comparison = Comparison::of(&sample(100), &sample(60), Confidence::new(0.95).unwrap());
        assert_eq!((comparison.before, comparison.after, comparison.saved), (104.5, 64.5, 40.0));
        assert_eq!(comparison.a12, 1.0);
        assert!(comparison.p < 0.001 && comparison.saved_between.is_some_and(|(low, _)| low > 30.0));
    }
}
