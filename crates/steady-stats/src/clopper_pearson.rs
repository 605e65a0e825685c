//! The Clopper–Pearson interval: covers the true rate at least as often as the confidence requires.

use statrs::function::beta::inv_beta_reg;

use crate::{Confidence, Counts, Interval};

/// The failure rates under which the observed count is not too unlikely on either side.
///
/// With `k` failures in `n` runs the low end is the rate at which `k` or more failures have probability `α/2`, the high
/// end the rate at which `k` or fewer have it. Both are quantiles of beta distributions: `B(α/2; k, n − k + 1)` and
/// `B(1 − α/2; k + 1, n − k)`.
///
/// Source: C. J. Clopper and E. S. Pearson, *The Use of Confidence or Fiducial Limits Illustrated in the Case of the
/// Binomial*, Biometrika 26 (1934), pages 404–413; in the form with beta quantiles: Brown, Cai and DasGupta, Statistical
/// Science 16 (2001), section 4.2.1.
pub fn clopper_pearson(counts: Counts, confidence: Confidence) -> Interval {
    let (failed, passed) = (counts.failed as f64, counts.passed as f64);
    let tail = confidence.error() / 2.0;
    // Without failures, or without passes, the quantile has a closed form: the n-th root of the tail.
    let certain = |runs: f64| 1.0 - tail.powf(1.0 / runs);
    let high = match (counts.failed, counts.passed) {
        (_, 0) => 1.0,
        (0, _) => certain(passed),
        _ => inv_beta_reg(failed + 1.0, passed, 1.0 - tail),
    };
    let low = match (counts.failed, counts.passed) {
        (0, _) => 0.0,
        (_, 0) => 1.0 - certain(failed),
        _ => inv_beta_reg(failed, passed + 1.0, tail),
    };
    Interval { low, high }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact::{binomial, rates};

    fn interval(failed: u64, runs: u64, confidence: f64) -> Interval {
        clopper_pearson(Counts { passed: runs - failed, failed }, Confidence::new(confidence).unwrap())
    }

    #[test]
    fn no_runs_support_any_rate() {
        assert_eq!(interval(0, 0, 0.99), Interval::ANY_RATE);
    }

    #[test]
    fn it_covers_every_true_rate_at_least_as_often_as_asked() {
        for confidence in [0.6, 0.9, 0.99] {
            for runs in 1..=25 {
                let intervals: Vec<_> = (0..=runs).map(|failed| interval(failed, runs, confidence)).collect();
                for rate in rates(200) {
                    let covering = (0..=runs).filter(|&failed| intervals[failed as usize].contains(rate));
                    let coverage: f64 = covering.map(|failed| binomial(runs, failed, rate)).sum();
                    assert!(coverage >= confidence - 1e-9, "{confidence} {runs} {rate}: {coverage}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn at_each_end_the_tail_has_half_the_error(runs in 1u64..400, share in 0.0..=1.0f64, confidence in 0.51..0.999f64) {
            let failed = (share * runs as f64).round() as u64;
            let Interval { low, high } = interval(failed, runs, confidence);
            let tail = (1.0 - confidence) / 2.0;
            let or_more: f64 = (failed..=runs).map(|k| binomial(runs, k, low)).sum();
            let or_fewer: f64 = (0..=failed).map(|k| binomial(runs, k, high)).sum();
            prop_assert!(if failed == 0 { low == 0.0 } else { (or_more / tail - 1.0).abs() < 1e-4 }, "{or_more}");
            prop_assert!(if failed == runs { high == 1.0 } else { (or_fewer / tail - 1.0).abs() < 1e-4 }, "{or_fewer}");
        }

        #[test]
        fn large_counts_give_ordered_ends_inside_the_range(failed in 0u64..2_000_000, passed in 0u64..2_000_000) {
            prop_assume!(failed + passed > 0);
            let runs = failed + passed;
            let Interval { low, high } = interval(failed, runs, 0.99);
            let observed = failed as f64 / runs as f64;
            prop_assert!(0.0 <= low && low <= observed && observed <= high && high <= 1.0);
        }
    }
}
