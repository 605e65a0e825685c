//! Measurements of one thing, such as the run times of a test.

use statrs::distribution::{Binomial, DiscreteCDF};

use crate::{Confidence, Interval};

/// Measurements cannot be compared.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum SampleError {
    /// There is nothing to compare.
    #[error("the sample holds no measurement; run the command at least once")]
    Empty,
    /// A measurement is infinite or not a number.
    #[error("measurement {position} of the sample is {value}; leave out runs that could not be measured")]
    NotFinite {
        /// Where it stands, counted from one.
        position: usize,
        /// What was given.
        value: f64,
    },
}

/// One or more finite measurements.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    sorted: Vec<f64>,
}

impl Sample {
    /// A sample of these measurements, in any order.
    pub fn new(measurements: impl IntoIterator<Item = f64>) -> Result<Self, SampleError> {
        let mut sorted: Vec<f64> = measurements.into_iter().collect();
        if let Some(index) = sorted.iter().position(|value| !value.is_finite()) {
            return Err(SampleError::NotFinite { position: index + 1, value: sorted[index] });
        }
        sorted.sort_by(f64::total_cmp);
        if sorted.is_empty() { Err(SampleError::Empty) } else { Ok(Self { sorted }) }
    }

    /// The measurements, smallest first.
    pub fn sorted(&self) -> &[f64] {
        &self.sorted
    }

    /// The middle measurement, or the mean of the two in the middle.
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// The value below which a share of the measurements lies, interpolated between neighbours.
    ///
    /// The share is taken as 0 below 0 and as 1 above 1.
    ///
    /// Source: R. J. Hyndman and Y. Fan, *Sample Quantiles in Statistical Packages*, The American Statistician 50 (1996),
    /// pages 361–365, definition 7, which R and NumPy use too.
    pub fn quantile(&self, share: f64) -> f64 {
        let place = share.clamp(0.0, 1.0) * (self.sorted.len() - 1) as f64;
        let (below, above) = (place.floor() as usize, place.ceil() as usize);
        // Halves are added rather than a difference scaled: two huge values of opposite sign must not overflow.
        let weight = place - place.floor();
        self.sorted[below] * (1.0 - weight) + self.sorted[above] * weight
    }

    /// The medians the measurements support, for any distribution; `None` when there are too few.
    ///
    /// From the `k`-th smallest to the `k`-th largest measurement, with the greatest `k` for which fewer than `k` of the
    /// measurements lie on one side of the true median with a probability below `α/2`.
    ///
    /// Source: W. R. Thompson, *On Confidence Ranges for the Median and Other Expectation Distributions for Populations
    /// of Unknown Distribution Form*, Annals of Mathematical Statistics 7 (1936), pages 122–128.
    pub fn median_interval(&self, confidence: Confidence) -> Option<Interval> {
        let sides = Binomial::new(0.5, self.sorted.len() as u64).ok()?;
        let k = usize::try_from(sides.inverse_cdf(confidence.error() / 2.0)).ok()?;
        let low = self.sorted[k.checked_sub(1)?];
        Some(Interval { low, high: self.sorted[self.sorted.len() - k] })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact::binomial;

    #[test]
    fn what_cannot_be_ordered_is_refused() {
        assert_eq!(Sample::new([]), Err(SampleError::Empty));
        let error = Sample::new([1.0, f64::INFINITY]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "measurement 2 of the sample is inf; leave out runs that could not be measured"
        );
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(Sample::new([3.0, 1.0, 2.0]).unwrap().median(), 2.0);
        assert_eq!(Sample::new([4.0, 1.0, 2.0, 3.0]).unwrap().median(), 2.5);
        assert_eq!(Sample::new([f64::MAX, -f64::MAX]).unwrap().median(), 0.0);
    }

    #[test]
    fn quantiles_interpolate_between_neighbours() {
        let sample = Sample::new([10.0, 20.0, 30.0, 40.0, 50.0]).unwrap();
        assert_eq!([0.0, 0.1, 0.75, 1.0].map(|share| sample.quantile(share)), [10.0, 14.0, 40.0, 50.0]);
    }

    #[test]
    fn the_median_interval_is_the_narrowest_that_is_sure_enough() {
        for confidence in [0.8, 0.95, 0.99] {
            for n in 1..=40u64 {
                let sample = Sample::new((1..=n).map(|value| value as f64)).unwrap();
                // With the measurements 1..=n the ends say which order statistics were taken.
                let coverage = |k: u64| 1.0 - 2.0 * (0..k).map(|below| binomial(n, below, 0.5)).sum::<f64>();
                let expected = (1..=n / 2).rev().find(|&k| coverage(k) >= confidence);
                let found = sample.median_interval(Confidence::new(confidence).unwrap());
                let found = found.map(|interval| (interval.low as u64, interval.high as u64));
                assert_eq!(found, expected.map(|k| (k, n + 1 - k)), "{n} at {confidence}");
            }
        }
    }

    proptest! {
        #[test]
        fn a_quantile_lies_within_the_sample_and_grows(values in prop::collection::vec(-1e6..1e6f64, 1..40), one in 0.0..1.0f64, other in 0.0..1.0f64) {
            let sample = Sample::new(values).unwrap();
            let (low, high) = (sample.quantile(one.min(other)), sample.quantile(one.max(other)));
            let slack = 1e-9;
            prop_assert!(low <= high + slack);
            prop_assert!(sample.quantile(0.0) <= low + slack && high <= sample.quantile(1.0) + slack);
        }
    }
}
