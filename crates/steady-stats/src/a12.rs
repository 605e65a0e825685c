//! By how much two samples differ.

use std::fmt;

use crate::Sample;
use crate::mann_whitney::larger_pairs;

/// The Vargha–Delaney effect size: how likely a measurement of the first sample is the larger one.
///
/// One half means no difference, 1 that every measurement of the first sample is larger.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct A12(f64);

/// A word for the size of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Magnitude {
    /// Less than small.
    Negligible,
    /// At least 0.56, or at most 0.44.
    Small,
    /// At least 0.64, or at most 0.36.
    Medium,
    /// At least 0.71, or at most 0.29.
    Large,
}

/// The share of pairs in which the measurement of the first sample is larger, equal ones counted half.
///
/// Source: A. Vargha and H. D. Delaney, *A Critique and Improvement of the CL Common Language Effect Size Statistics
/// of McGraw and Wong*, Journal of Educational and Behavioral Statistics 25 (2000), pages 101–132.
pub fn a12(first: &Sample, second: &Sample) -> A12 {
    A12(larger_pairs(first, second) / (first.sorted().len() * second.sorted().len()) as f64)
}

impl A12 {
    /// The effect size as a number from 0 to 1.
    pub fn get(self) -> f64 {
        self.0
    }

    /// The size in a word, by the thresholds of the same paper, in either direction.
    pub fn magnitude(self) -> Magnitude {
        // Sizes are fractions of whole pairs; the slack keeps 1 − 0.44 from falling below 0.56.
        match self.0.max(1.0 - self.0) + 1e-12 {
            0.71.. => Magnitude::Large,
            0.64.. => Magnitude::Medium,
            0.56.. => Magnitude::Small,
            _ => Magnitude::Negligible,
        }
    }
}

impl fmt::Display for Magnitude {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Negligible => "negligible",
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn effect(first: &[u8], second: &[u8]) -> A12 {
        let sample = |values: &[u8]| Sample::new(values.iter().copied().map(f64::from)).unwrap();
        a12(&sample(first), &sample(second))
    }

    #[test]
    fn samples_apart_reach_the_ends_and_equal_ones_the_middle() {
        assert_eq!(effect(&[4, 5], &[1, 2, 3]).get(), 1.0);
        assert_eq!(effect(&[1], &[2, 3]).get(), 0.0);
        assert_eq!(effect(&[7, 7], &[7]).get(), 0.5);
    }

    #[test]
    fn words_follow_the_thresholds_in_both_directions() {
        let words = [0.5, 0.559, 0.56, 0.64, 0.71, 1.0].map(|size| A12(size).magnitude());
        let mirrored = [0.5, 0.441, 0.44, 0.36, 0.29, 0.0].map(|size| A12(size).magnitude());
        use Magnitude::{Large, Medium, Negligible, Small};
        assert_eq!(words, [Negligible, Negligible, Small, Medium, Large, Large]);
        assert_eq!(mirrored, words);
    }

    proptest! {
        #[test]
        fn it_equals_the_share_counted_pair_by_pair(first in prop::collection::vec(0u8..9, 1..12), second in prop::collection::vec(0u8..9, 1..12)) {
            let pairs = first.iter().flat_map(|one| second.iter().map(move |other| one.cmp(other) as i32 + 1));
            let halves: i32 = pairs.sum();
            let expected = f64::from(halves) / 2.0 / (first.len() * second.len()) as f64;
            prop_assert!((effect(&first, &second).get() - expected).abs() < 1e-12);
        }
    }
}
