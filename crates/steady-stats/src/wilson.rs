//! The Wilson score interval: the short interval to print beside a rate.

use statrs::function::erf::erf_inv;

use crate::{Confidence, Counts, Interval};

/// The failure rates that a score test does not reject.
///
/// A rate `p` belongs to the interval when the observed rate `q` lies within `z` standard errors of it, the
/// error taken at `p`: `(q − p)² ≤ z² p (1 − p) / n`. The ends solve the quadratic equation. On average over the rates it
/// covers the true one as often as asked, at single rates a little more or less; where it must never be less, use
/// [`clopper_pearson`](crate::clopper_pearson).
///
/// Source: E. B. Wilson, *Probable Inference, the Law of Succession, and Statistical Inference*, Journal of the
/// American Statistical Association 22 (1927), pages 209–212. Recommended for small numbers of runs by Brown, Cai
/// and DasGupta, Statistical Science 16 (2001), pages 101–133.
pub fn wilson(counts: Counts, confidence: Confidence) -> Interval {
    let Some(observed) = counts.failure_rate() else { return Interval::ANY_RATE };
    let n = counts.runs() as f64;
    let z = std::f64::consts::SQRT_2 * erf_inv(confidence.get());
    let share = z * z / n;
    let centre = (observed + share / 2.0) / (1.0 + share);
    let reach = z / (1.0 + share) * (observed * (1.0 - observed) / n + share / (4.0 * n)).sqrt();
    // At the extremes the end is exact; rounding must not exclude the rate that was observed.
    let low = if counts.failed == 0 { 0.0 } else { (centre - reach).max(0.0) };
    let high = if counts.passed == 0 { 1.0 } else { (centre + reach).min(1.0) };
    Interval { low, high }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact::{binomial, rates};

    fn interval(failed: u64, runs: u64, confidence: f64) -> Interval {
        wilson(Counts { passed: runs - failed, failed }, Confidence::new(confidence).unwrap())
    }

    #[test]
    fn no_runs_support_any_rate() {
        assert_eq!(interval(0, 0, 0.99), Interval::ANY_RATE);
    }

    #[test]
    fn it_covers_the_true_rate_as_often_as_asked_on_average() {
        for confidence in [0.9, 0.95, 0.99] {
            for runs in [5, 10, 20, 40] {
                let intervals: Vec<_> = (0..=runs).map(|failed| interval(failed, runs, confidence)).collect();
                let coverage = |rate: f64| -> f64 {
                    let covering = (0..=runs).filter(|&failed| intervals[failed as usize].contains(rate));
                    covering.map(|failed| binomial(runs, failed, rate)).sum()
                };
                let mean = rates(1000).map(coverage).sum::<f64>() / 1001.0;
                assert!((mean - confidence).abs() < 0.02, "{confidence} {runs}: {mean}");
            }
        }
    }

    proptest! {
        #[test]
        fn an_inner_end_lies_exactly_z_standard_errors_away(runs in 1u64..5000, share in 0.0..=1.0f64) {
            let failed = (share * runs as f64).round() as u64;
            let Interval { low, high } = interval(failed, runs, 0.95);
            let observed = failed as f64 / runs as f64;
            for end in [low, high].into_iter().filter(|end| *end > 0.0 && *end < 1.0) {
                let error = (end * (1.0 - end) / runs as f64).sqrt();
                let distance = (observed - end).abs() / error;
                prop_assert!((distance - 1.959_963_985).abs() < 1e-6, "{distance}");
            }
        }

        #[test]
        fn it_contains_the_observed_rate_and_mirrors(failed in 0u64..300, passed in 0u64..300, confidence in 0.51..0.9999f64) {
            prop_assume!(failed + passed > 0);
            let runs = failed + passed;
            let (one, other) = (interval(failed, runs, confidence), interval(passed, runs, confidence));
            prop_assert!(one.contains(failed as f64 / runs as f64));
            prop_assert!((one.low - (1.0 - other.high)).abs() < 1e-12);
        }
    }
}
