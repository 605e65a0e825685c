//! Whether a test fails more or less often under another condition.

use statrs::function::factorial::ln_binomial;

use crate::Counts;

/// Tables whose probabilities differ by no more than this part count as equally likely, as in R's `fisher.test`.
const EQUAL: f64 = 1e-7;

/// How likely failure rates at least this different are when the condition makes no difference (two-sided).
///
/// Used to say whether a perturbation changes a test's failure rate. All tables with the same totals are considered;
/// those no more likely than the observed one count. Without runs on one side the result is 1.
///
/// Source: R. A. Fisher, *The Logic of Inductive Inference*, Journal of the Royal Statistical Society 98 (1935), pages
/// 39–82; two-sided as in G. H. Freeman and J. H. Halton, *Note on an Exact Treatment of Contingency*, Biometrika 38
/// (1951), pages 141–149.
pub fn fisher(one: Counts, other: Counts) -> f64 {
    let failures = one.failed + other.failed;
    let all = ln_binomial(one.runs() + other.runs(), failures);
    let likely = |failed: u64| {
        (ln_binomial(one.runs(), failed) + ln_binomial(other.runs(), failures - failed) - all).exp()
    };
    let limit = likely(one.failed) * (1.0 + EQUAL);
    let possible = failures.saturating_sub(other.runs())..=failures.min(one.runs());
    // `statrs` bisects for the start of the other tail, and misses it for some tables.
    possible.map(likely).filter(|likely| *likely <= limit).sum::<f64>().min(1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact::choose;

    /// Adds up the tables with the same totals that are no more likely than the observed one.
    fn p_by_enumeration(one: Counts, other: Counts) -> f64 {
        let failures = one.failed + other.failed;
        let weight = |failed: u64| choose(one.runs(), failed) * choose(other.runs(), failures - failed);
        let possible = failures.saturating_sub(other.runs())..=failures.min(one.runs());
        let limit = weight(one.failed) * (1.0 + 1e-7);
        let extreme: f64 = possible.map(weight).filter(|weight| *weight <= limit).sum();
        extreme / choose(one.runs() + other.runs(), failures)
    }

    #[test]
    fn it_equals_enumeration_for_every_small_table() {
        for cells in 0..8u64.pow(4) {
            let [a, b, c, d] = [0, 1, 2, 3].map(|place| cells / 8u64.pow(place) % 8);
            let (one, other) = (Counts { passed: a, failed: b }, Counts { passed: c, failed: d });
            let (found, exact) = (fisher(one, other), p_by_enumeration(one, other));
            assert!((found - exact).abs() < 1e-9, "{one:?} {other:?}: {found} {exact}");
        }
    }

    #[test]
    fn both_tails_are_found_where_they_are_far_apart() {
        let (one, other) = (Counts { passed: 86, failed: 69 }, Counts { passed: 67, failed: 29 });
        assert!((fisher(one, other) - 0.024_605_077_426).abs() < 1e-9);
    }

    #[test]
    fn without_runs_on_one_side_there_is_nothing_to_say() {
        for other in [Counts { passed: 0, failed: 0 }, Counts { passed: 3, failed: 4 }] {
            assert!((fisher(Counts { passed: 0, failed: 0 }, other) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_condition_that_flips_a_test_is_seen_in_five_runs_each() {
        let (calm, perturbed) = (Counts { passed: 5, failed: 0 }, Counts { passed: 0, failed: 5 });
        assert!((fisher(calm, perturbed) - 2.0 / 252.0).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn it_equals_enumeration_for_customary_numbers_of_runs(a in 0u64..=100, b in 0u64..=100, c in 0u64..=100, d in 0u64..=100) {
            let (one, other) = (Counts { passed: a, failed: b }, Counts { passed: c, failed: d });
            let (found, exact) = (fisher(one, other), p_by_enumeration(one, other));
            prop_assert!((found - exact).abs() < 1e-7, "{found} {exact}");
            prop_assert!((fisher(other, one) - found).abs() < 1e-9);
        }
    }
}
