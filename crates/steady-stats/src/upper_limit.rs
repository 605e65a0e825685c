//! The highest failure rate that the runs do not exclude.

use statrs::function::beta::inv_beta_reg;

use crate::{Confidence, Counts};

/// The highest failure rate that is not excluded: the one-sided limit of Clopper and Pearson.
///
/// With `k` failures in `n` runs it is the rate at which `k` or fewer failures have probability `1 − confidence`; without
/// failures `1 − (1 − confidence)^(1/n)`.
///
/// Source: C. J. Clopper and E. S. Pearson, *The Use of Confidence or Fiducial Limits Illustrated in the Case of the
/// Binomial*, Biometrika 26 (1934), pages 404–413.
///
/// ```
/// use steady_stats::{Confidence, Counts, upper_limit};
///
/// let hundred = Counts { passed: 100, failed: 0 };
/// assert_eq!(format!("{:.3}", upper_limit(hundred, Confidence::new(0.95)?)), "0.030");
/// # Ok::<(), steady_stats::OutOfRange>(())
/// ```
pub fn upper_limit(counts: Counts, confidence: Confidence) -> f64 {
    match (counts.passed, counts.failed) {
        (0, _) => 1.0,
        (passed, 0) => 1.0 - confidence.error().powf(1.0 / passed as f64),
        (passed, failed) => inv_beta_reg(failed as f64 + 1.0, passed as f64, confidence.get()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::binomial;

    #[test]
    fn as_few_failures_are_as_unlikely_as_the_limit_says() {
        for confidence in [0.6, 0.95, 0.99] {
            for runs in 1..=30u64 {
                for failed in 0..runs {
                    let counts = Counts { passed: runs - failed, failed };
                    let limit = upper_limit(counts, Confidence::new(confidence).unwrap());
                    let chance: f64 = (0..=failed).map(|few| binomial(runs, few, limit)).sum();
                    assert!((chance - (1.0 - confidence)).abs() < 1e-6, "{failed} of {runs}: {chance}");
                }
            }
        }
    }

    #[test]
    fn no_pass_excludes_nothing() {
        let confidence = Confidence::default();
        assert_eq!(upper_limit(Counts::default(), confidence), 1.0);
        assert_eq!(upper_limit(Counts { passed: 0, failed: 4 }, confidence), 1.0);
    }

    #[test]
    fn the_runs_that_exclude_a_rate_have_their_limit_at_or_below_it() {
        let confidence = Confidence::new(0.95).unwrap();
        for rate in [0.5_f64, 0.1, 0.03, 0.01] {
            // The least n with (1 − rate)ⁿ ≤ 1 − confidence.
            let passed = (0.05_f64.ln() / (1.0 - rate).ln()).ceil() as u64;
            let limit = |passed| upper_limit(Counts { passed, failed: 0 }, confidence);
            assert!(limit(passed) <= rate && rate < limit(passed - 1), "{rate}");
        }
    }
}
