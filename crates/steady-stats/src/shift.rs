//! How far one sample lies above another.

use crate::{Confidence, Interval, Sample};

/// How much larger the measurements of the first sample are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    /// The median of all differences between a measurement of the first and one of the second sample.
    pub estimate: f64,
    /// The differences the measurements support; `None` when there are too few.
    pub interval: Option<Interval>,
}

/// The two-sided quantile of the normal distribution, by bisection of its tail: precise enough to count pairs with.
fn normal_quantile(tail: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        let above = statrs::function::erf::erfc(middle / std::f64::consts::SQRT_2) / 2.0;
        if above > tail { low = middle } else { high = middle }
    }
    high
}

/// By how much the first sample is larger, for any distribution, if they differ by a shift.
///
/// The estimate is the median of the `mn` differences. The interval leaves out the `k − 1` smallest and largest of them, with `k` the
/// whole part of `mn/2 − z √(mn(m + n + 1)/12)`: the Mann–Whitney test inverted, in its normal approximation.
///
/// Source: J. L. Hodges and E. L. Lehmann, *Estimates of Location Based on Rank Tests*, Annals of Mathematical Statistics 34
/// (1963), pages 598–611; the interval: M. Hollander and D. A. Wolfe, *Nonparametric Statistical Methods* (1973), section 4.3.
pub fn shift(first: &Sample, second: &Sample, confidence: Confidence) -> Shift {
    let (one, other) = (first.sorted(), second.sorted());
    let mut differences: Vec<f64> =
        one.iter().flat_map(|value| other.iter().map(move |less| value - less)).collect();
    differences.sort_by(f64::total_cmp);
    let pairs = differences.len();
    let estimate = f64::midpoint(differences[(pairs - 1) / 2], differences[pairs / 2]);
    let (m, n) = (one.len() as f64, other.len() as f64);
    let spread = normal_quantile(confidence.error() / 2.0) * (m * n * (m + n + 1.0) / 12.0).sqrt();
    let k = (m * n / 2.0 - spread).floor();
    let ends = |k: usize| Interval { low: differences[k - 1], high: differences[pairs - k] };
    Shift { estimate, interval: (k >= 1.0).then(|| ends(k as usize)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(values: impl IntoIterator<Item = u32>) -> Sample {
        Sample::new(values.into_iter().map(f64::from)).unwrap()
    }

    #[test]
    fn a_shift_is_found_and_enclosed() {
        let confidence = Confidence::new(0.95).unwrap();
        let found = shift(&sample(100..120), &sample(60..80), confidence);
        assert_eq!(found.estimate, 40.0);
        let interval = found.interval.unwrap();
        assert!(interval.low < 40.0 && 40.0 < interval.high && interval.low > 30.0, "{interval:?}");
        let back = shift(&sample(60..80), &sample(100..120), confidence);
        assert_eq!(back.interval.unwrap().low, -interval.high);
    }

    #[test]
    fn too_few_measurements_support_no_interval() {
        let found = shift(&sample([5, 6]), &sample([1]), Confidence::default());
        assert_eq!((found.estimate, found.interval), (4.5, None));
    }

    #[test]
    fn the_quantiles_are_the_known_ones() {
        assert!((normal_quantile(0.025) - 1.959_963_985).abs() < 1e-6);
        assert!((normal_quantile(0.005) - 2.575_829_304).abs() < 1e-6);
    }

    #[test]
    fn the_interval_covers_the_true_shift_as_often_as_asked() {
        // All ways to deal ten equally likely ranks into two samples of five: with no shift, zero is covered.
        let confidence = Confidence::new(0.9).unwrap();
        let deals: Vec<u32> = (0..1_u32 << 10).filter(|deal| deal.count_ones() == 5).collect();
        let covered = deals.iter().filter(|deal| {
            let (one, other): (Vec<u32>, Vec<u32>) = (0..10).partition(|rank| *deal >> rank & 1 == 1);
            shift(&sample(one), &sample(other), confidence).interval.unwrap().contains(0.0)
        });
        let share = covered.count() as f64 / deals.len() as f64;
        assert!((0.88..0.96).contains(&share), "{share}");
    }
}
