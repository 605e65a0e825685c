//! When to stop running a test again.

use crate::{Confidence, Counts, Rate};

/// The two failure rates a sequential test decides between.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hypotheses {
    /// The tolerated rate; `--flake-rate`.
    pub tolerated: Rate,
    /// A rate that must not be missed.
    pub clear: Rate,
}

/// Tolerates one failure in a hundred runs and must not miss 22.
///
/// 0.22 is the smallest rate, in whole per cent, that a fifth of the customary hundred runs can exclude at a confidence of
/// 0.99: twenty passes in a row are more than 99 times as likely under 0.01 as under 0.22, but not as under 0.21.
impl Default for Hypotheses {
    fn default() -> Self {
        Self { tolerated: Rate(0.01), clear: Rate(0.22) }
    }
}

/// The decision over the runs of one test so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// More runs are needed.
    Undecided,
    /// It only passed, and often enough to exclude the clear rate of failures.
    Stable,
    /// It only failed, and often enough to exclude the clear rate of passes.
    Broken,
    /// It passed and failed on the same code.
    Flaky,
}

/// The hypotheses of a sequential test do not differ.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The rates are equal or the wrong way round.
    #[error(
        "the tolerated failure rate {tolerated} is not below the clear one, {clear}; choose a lower --flake-rate"
    )]
    NotBelow {
        /// The rate that may be passed over.
        tolerated: Rate,
        /// The rate that must not be missed.
        clear: Rate,
    },
}

/// A sequential probability ratio test: decides after each run whether another one is needed.
///
/// With `α = β = 1 − confidence`, runs continue until the likelihood ratio of the clear rate `p₁` against the tolerated
/// rate `p₀` falls to `β / (1 − α)`. A run that passes multiplies the ratio by `(1 − p₁) / (1 − p₀)`, so a test that
/// never fails is [`Stable`](Decision::Stable) after a number of runs known beforehand: 20 with the defaults. Passes and
/// failures exchanged, the same rule finds [`Broken`](Decision::Broken). The upper boundary is not needed: the first
/// failure beside a pass is no longer a question of likelihood: the test is [`Flaky`](Decision::Flaky)
/// at once.
///
/// A test that fails at the clear rate or more often is called stable with probability at most `β / (1 − α)`, Wald's
/// bound. What the decision does *not* say: a rate between `p₀` and `p₁` is not excluded. The interval of
/// [`clopper_pearson`](crate::clopper_pearson) printed beside it says which rates the runs support.
///
/// Source: A. Wald, *Sequential Tests of Statistical Hypotheses*, Annals of Mathematical Statistics 16 (1945), pages
/// 117–186: the boundaries and their error bounds in part I, the binomial case in part II.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    hypotheses: Hypotheses,
    confidence: Confidence,
    runs_needed: u64,
}

impl Sprt {
    /// A test between two failure rates, wrong with probability `1 − confidence` either way.
    pub fn new(hypotheses: Hypotheses, confidence: Confidence) -> Result<Self, SprtError> {
        let Hypotheses { tolerated, clear } = hypotheses;
        if tolerated >= clear {
            return Err(SprtError::NotBelow { tolerated, clear });
        }
        let boundary = (confidence.error() / confidence.get()).ln();
        let step = (-clear.get()).ln_1p() - (-tolerated.get()).ln_1p();
        Ok(Self { hypotheses, confidence, runs_needed: whole_runs(boundary / step) })
    }

    /// The two failure rates.
    pub fn hypotheses(self) -> Hypotheses {
        self.hypotheses
    }

    /// How sure a decision is.
    pub fn confidence(self) -> Confidence {
        self.confidence
    }

    /// The decision over the runs made so far.
    pub fn over(self, counts: Counts) -> Decision {
        match (counts.passed, counts.failed) {
            (1.., 1..) => Decision::Flaky,
            (passed, 0) if passed >= self.runs_needed => Decision::Stable,
            (0, failed) if failed >= self.runs_needed => Decision::Broken,
            _ => Decision::Undecided,
        }
    }

    /// After this many runs every test is decided.
    pub fn runs_needed(self) -> u64 {
        self.runs_needed
    }
}

/// Rounds up to whole runs, at least one. The slack keeps a rounding error from adding a run.
fn whole_runs(runs: f64) -> u64 {
    ((runs * (1.0 - 1e-12)).ceil() as u64).max(1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::exact::rates;

    fn rule(tolerated: f64, clear: f64, confidence: f64) -> Sprt {
        let hypotheses = Hypotheses { tolerated: Rate(tolerated), clear: Rate(clear) };
        Sprt::new(hypotheses, Confidence::new(confidence).unwrap()).unwrap()
    }

    /// The probability of each decision and the mean number of runs, by walking every undecided state.
    fn outcomes(rule: Sprt, failure_rate: f64) -> (BTreeMap<Decision, f64>, f64) {
        let mut undecided = BTreeMap::from([(Counts::default(), 1.0)]);
        let mut decided = BTreeMap::new();
        let mut runs = 0.0;
        while !undecided.is_empty() {
            for (counts, probability) in std::mem::take(&mut undecided) {
                runs += probability;
                for (passed, chance) in [(true, 1.0 - failure_rate), (false, failure_rate)] {
                    let mut next = counts;
                    next.observe(passed);
                    match rule.over(next) {
                        Decision::Undecided => *undecided.entry(next).or_insert(0.0) += probability * chance,
                        decision => *decided.entry(decision).or_insert(0.0) += probability * chance,
                    }
                }
            }
        }
        (decided, runs)
    }

    fn probability(outcomes: &BTreeMap<Decision, f64>, decision: Decision) -> f64 {
        outcomes.get(&decision).copied().unwrap_or(0.0)
    }

    #[test]
    fn with_the_defaults_a_test_with_one_result_needs_twenty_runs() {
        let rule = Sprt::new(Hypotheses::default(), Confidence::default()).unwrap();
        assert_eq!(rule.runs_needed(), 20);
        assert_eq!(rule.over(Counts { passed: 19, failed: 0 }), Decision::Undecided);
        assert_eq!(rule.over(Counts { passed: 20, failed: 0 }), Decision::Stable);
        assert_eq!(rule.over(Counts { passed: 0, failed: 20 }), Decision::Broken);
    }

    #[test]
    fn a_pass_and_a_failure_decide_at_once() {
        let rule = Sprt::new(Hypotheses::default(), Confidence::default()).unwrap();
        assert_eq!(rule.over(Counts::default()), Decision::Undecided);
        assert_eq!(rule.over(Counts { passed: 1, failed: 1 }), Decision::Flaky);
        assert_eq!(rule.over(Counts { passed: 500, failed: 1 }), Decision::Flaky);
    }

    #[test]
    fn the_default_clear_rate_is_the_smallest_that_twenty_runs_exclude() {
        assert_eq!(rule(0.01, 0.22, 0.99).runs_needed(), 20);
        assert_eq!(rule(0.01, 0.21, 0.99).runs_needed(), 21);
    }

    #[test]
    fn a_clear_failure_rate_is_called_stable_no_more_often_than_walds_bound() {
        for (tolerated, clear, confidence) in
            [(0.01, 0.22, 0.99), (0.001, 0.05, 0.95), (0.05, 0.1, 0.9), (0.2, 0.9, 0.75)]
        {
            let rule = rule(tolerated, clear, confidence);
            let bound = (1.0 - confidence) / confidence;
            for rate in rates(40) {
                let (outcomes, _) = outcomes(rule, rate);
                assert!((outcomes.values().sum::<f64>() - 1.0).abs() < 1e-9);
                if rate >= clear {
                    assert!(probability(&outcomes, Decision::Stable) <= bound, "{rate}");
                }
                if 1.0 - rate >= clear {
                    assert!(probability(&outcomes, Decision::Broken) <= bound, "{rate}");
                }
            }
        }
    }

    #[test]
    fn a_flaky_test_costs_few_runs_and_one_result_is_never_called_flaky() {
        let rule = rule(0.01, 0.22, 0.99);
        assert_eq!(probability(&outcomes(rule, 0.0).0, Decision::Stable), 1.0);
        assert_eq!(probability(&outcomes(rule, 1.0).0, Decision::Broken), 1.0);
        let (_, runs) = outcomes(rule, 0.5);
        assert!((runs - 3.0).abs() < 1e-4, "{runs}");
    }

    #[test]
    fn hypotheses_the_wrong_way_round_are_refused() {
        let hypotheses = Hypotheses { tolerated: Rate(0.3), ..Hypotheses::default() };
        let error = Sprt::new(hypotheses, Confidence::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the tolerated failure rate 0.3 is not below the clear one, 0.22; choose a lower --flake-rate"
        );
    }

    proptest! {
        #[test]
        fn the_last_run_is_the_first_to_cross_the_boundary(tolerated in 0.001..0.3f64, gap in 0.05..0.6f64, confidence in 0.51..0.999f64) {
            let clear = tolerated + gap;
            let needed = rule(tolerated, clear, confidence).runs_needed() as i32;
            let ratio = |runs: i32| ((1.0 - clear) / (1.0 - tolerated)).powi(runs);
            let boundary = (1.0 - confidence) / confidence;
            prop_assert!(ratio(needed) <= boundary * (1.0 + 1e-9));
            prop_assert!(needed == 1 || ratio(needed - 1) > boundary);
        }
    }
}
