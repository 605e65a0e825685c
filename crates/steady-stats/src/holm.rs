//! Many comparisons in one report.

/// Adjusts p-values for multiple comparisons: the whole report is wrong no more often than one test.
///
/// The smallest of `m` is multiplied by `m`, the next by `m − 1`, and so on; none falls below one before it or exceeds
/// one. Results are in the order of the arguments; a result below `1 − confidence` may be reported. A value that is
/// not a probability counts as one and is never reported.
///
/// Source: S. Holm, *A Simple Sequentially Rejective Multiple Test Procedure*, Scandinavian Journal of Statistics 6
/// (1979), pages 65–70.
///
/// ```
/// assert_eq!(steady_stats::holm(&[0.5, 0.01, 0.25]), [0.5, 0.03, 0.5]);
/// ```
pub fn holm(probabilities: &[f64]) -> Vec<f64> {
    let known = |p: f64| if p.is_nan() { 1.0 } else { p.clamp(0.0, 1.0) };
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|&one, &other| known(probabilities[one]).total_cmp(&known(probabilities[other])));
    let mut adjusted = vec![1.0; probabilities.len()];
    let mut least = 0.0f64;
    for (rank, &index) in order.iter().enumerate() {
        let remaining = (probabilities.len() - rank) as f64;
        least = least.max(remaining * known(probabilities[index])).min(1.0);
        adjusted[index] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Holm's procedure is the closure of Bonferroni's: a comparison is as sure as the weakest set it belongs to
    /// (Marcus, Peritz and Gabriel, Biometrika 63, 1976).
    fn by_closure(probabilities: &[f64]) -> Vec<f64> {
        let n = probabilities.len();
        let bonferroni = |set: u32| {
            let members = (0..n).filter(|index| set >> index & 1 == 1).map(|index| probabilities[index]);
            (f64::from(set.count_ones()) * members.fold(1.0, f64::min)).min(1.0)
        };
        let weakest = |index: usize| {
            (1u32..1 << n).filter(|set| set >> index & 1 == 1).map(bonferroni).fold(0.0, f64::max)
        };
        (0..n).map(weakest).collect()
    }

    #[test]
    fn one_comparison_stays_as_it_is_and_nonsense_is_never_reported() {
        assert_eq!(holm(&[0.03]), [0.03]);
        assert_eq!(holm(&[]), [0.0; 0]);
        assert_eq!(holm(&[f64::NAN, 0.01]), [1.0, 0.02]);
    }

    proptest! {
        #[test]
        fn it_equals_testing_every_set_of_comparisons(probabilities in prop::collection::vec(0.0..=1.0f64, 0..8)) {
            for (found, expected) in holm(&probabilities).into_iter().zip(by_closure(&probabilities)) {
                prop_assert!((found - expected).abs() < 1e-12, "{found} {expected}");
            }
        }
    }
}
