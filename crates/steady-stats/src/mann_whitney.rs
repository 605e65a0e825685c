//! Whether two samples come from the same distribution.

use statrs::function::erf::erfc;

use crate::Sample;

// statrs 0.19.1 has this test too, but returns 1 instead of 0.1 for {1, 2, 3} against {4, 5, 6}.

/// Up to this many measurements on each side every way to deal them is counted.
const EXACT_UP_TO: usize = 30;

/// How a probability was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Counted over all ways to deal the measurements into two samples.
    Exact,
    /// Approximated by a normal distribution, because the samples are large.
    Normal,
}

/// The outcome of a Mann–Whitney test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MannWhitney {
    /// The pairs in which the measurement of the first sample is larger, equal ones counted half.
    pub u: f64,
    /// How likely a `u` at least this far from the middle is when the samples do not differ.
    pub p: f64,
    /// How `p` was found.
    pub method: Method,
}

/// Compares two samples by the order of their measurements (two-sided).
///
/// Exact where neither sample has more than 30 measurements, with ties too: run times in whole milliseconds are often
/// equal. Beyond that a normal approximation with continuity correction and the variance reduced for ties:
/// `mn/12 · (N + 1 − Σ(t³ − t) / (N(N − 1)))` over groups of `t` equal measurements.
///
/// Source: H. B. Mann and D. R. Whitney, *On a Test of Whether One of Two Random Variables Is Stochastically Larger
/// Than the Other*, Annals of Mathematical Statistics 18 (1947), pages 50–60; ties: E. L. Lehmann,
/// *Nonparametrics: Statistical Methods Based on Ranks* (1975), chapter 1; counting with ties: B. Streitberg and J. Röhmel,
/// *Exact Distributions for Permutation and Rank Tests*, Statistical Software Newsletter 12 (1986), pages 10–17.
pub fn mann_whitney(first: &Sample, second: &Sample) -> MannWhitney {
    let u = larger_pairs(first, second);
    let ties = tie_sizes(first, second);
    let (m, n) = (first.sorted().len(), second.sorted().len());
    if m.max(n) <= EXACT_UP_TO {
        MannWhitney { u, p: exact_p(u, m, n, &ties), method: Method::Exact }
    } else {
        MannWhitney { u, p: normal_p(u, m as f64, n as f64, &ties), method: Method::Normal }
    }
}

/// The pairs in which the measurement of the first sample is larger, equal ones counted half.
pub(crate) fn larger_pairs(first: &Sample, second: &Sample) -> f64 {
    let pairs = first.sorted().iter().map(|value| {
        let below = second.sorted().partition_point(|other| other < value);
        let up_to = second.sorted().partition_point(|other| other <= value);
        (below + up_to) as f64 / 2.0
    });
    pairs.sum()
}

/// How many measurements of both samples share each value, smallest value first.
fn tie_sizes(first: &Sample, second: &Sample) -> Vec<usize> {
    let mut all = [first.sorted(), second.sorted()].concat();
    all.sort_by(f64::total_cmp);
    all.chunk_by(|one, other| one == other).map(<[f64]>::len).collect()
}

fn exact_p(u: f64, m: usize, n: usize, ties: &[usize]) -> f64 {
    let ways = ways_by_rank_sum(m, ties);
    // Twice `u` is the doubled rank sum less the least it can be; its middle is `mn`.
    let distance = |sum: usize| (sum as f64 - (m * (m + 1) + m * n) as f64).abs();
    let observed = (2.0 * u - (m * n) as f64).abs();
    let extreme: f64 =
        ways.iter().enumerate().filter(|(sum, _)| distance(*sum) >= observed).map(|(_, ways)| ways).sum();
    extreme / ways.iter().sum::<f64>()
}

/// In how many ways `m` of the measurements can have each sum of doubled ranks.
///
/// Doubled, the mean rank of equal measurements is a whole number, and the sum an index. At most C(60, 30) ways: more than a
/// float counts exactly, but its error stays in the sixteenth digit because nothing is subtracted.
fn ways_by_rank_sum(m: usize, ties: &[usize]) -> Vec<f64> {
    let all: usize = ties.iter().sum();
    let mut ways = vec![vec![0.0; 2 * m * all + 1]; m + 1];
    ways[0][0] = 1.0;
    let mut seen = 0;
    for &size in ties {
        let doubled_rank = 2 * seen + size + 1;
        for taken in seen..seen + size {
            for chosen in (1..=m.min(taken + 1)).rev() {
                let (fewer, more) = ways.split_at_mut(chosen);
                let sums = more[0][doubled_rank..].iter_mut().zip(&fewer[chosen - 1]);
                sums.for_each(|(with, without)| *with += without);
            }
        }
        seen += size;
    }
    ways.swap_remove(m)
}

fn normal_p(u: f64, m: f64, n: f64, ties: &[usize]) -> f64 {
    let all = m + n;
    let tied: f64 = ties.iter().map(|&size| size as f64).map(|size| size.powi(3) - size).sum();
    let variance = m * n / 12.0 * (all + 1.0 - tied / (all * (all - 1.0)));
    let distance = ((u - m * n / 2.0).abs() - 0.5).max(0.0);
    // Measurements that are all equal decide nothing.
    if variance > 0.0 { erfc(distance / variance.sqrt() / std::f64::consts::SQRT_2) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact::{choose, subsets};

    fn sample(values: impl IntoIterator<Item = f64>) -> Sample {
        Sample::new(values).unwrap()
    }

    /// Counts, over all ways to deal the values into two samples, how often `u` is at least as far from the middle.
    fn p_by_enumeration(first: &[f64], second: &[f64]) -> f64 {
        let all = [first, second].concat();
        let middle = (first.len() * second.len()) as f64 / 2.0;
        let u = |ours: &[f64], theirs: &[f64]| -> f64 {
            let pairs = ours.iter().flat_map(|one| theirs.iter().map(move |other| (one, other)));
            pairs
                .map(|(one, other)| {
                    f64::from(u8::from(one > other)) + f64::from(u8::from(one == other)) / 2.0
                })
                .sum()
        };
        let observed = (u(first, second) - middle).abs();
        let distances = subsets(all.len(), first.len()).map(|mask| {
            let (ours, theirs): (Vec<_>, Vec<_>) = (0..all.len()).partition(|index| mask >> index & 1 == 1);
            let pick = |indices: Vec<usize>| indices.into_iter().map(|index| all[index]).collect::<Vec<_>>();
            (u(&pick(ours), &pick(theirs)) - middle).abs()
        });
        let extreme: Vec<bool> = distances.map(|distance| distance >= observed - 1e-9).collect();
        extreme.iter().filter(|extreme| **extreme).count() as f64 / extreme.len() as f64
    }

    #[test]
    fn three_against_three_apart_has_one_order_in_ten() {
        let outcome = mann_whitney(&sample([1.0, 2.0, 3.0]), &sample([4.0, 5.0, 6.0]));
        assert_eq!((outcome.u, outcome.method), (0.0, Method::Exact));
        assert!((outcome.p - 0.1).abs() < 1e-12);
    }

    #[test]
    fn equal_measurements_say_nothing() {
        let same = sample([5.0; 4]);
        assert_eq!(mann_whitney(&same, &same), MannWhitney { u: 8.0, p: 1.0, method: Method::Exact });
        let many = sample([5.0; 40]);
        assert_eq!(mann_whitney(&many, &many), MannWhitney { u: 800.0, p: 1.0, method: Method::Normal });
    }

    #[test]
    fn zero_and_negative_zero_are_equal() {
        let outcome = mann_whitney(&sample([0.0]), &sample([-0.0]));
        assert_eq!((outcome.u, outcome.p), (0.5, 1.0));
    }

    #[test]
    fn every_way_to_deal_is_counted_once() {
        for (m, n) in [(1, 1), (1, 9), (7, 4), (30, 30)] {
            let expected = choose((m + n) as u64, m as u64);
            for ties in [vec![1; m + n], vec![m + n], vec![m, n]] {
                let counted: f64 = ways_by_rank_sum(m, &ties).iter().sum();
                assert!((counted / expected - 1.0).abs() < 1e-12, "{m} {n} {ties:?}");
            }
        }
    }

    #[test]
    fn the_approximation_meets_the_exact_test_where_it_takes_over() {
        let (m, n) = (EXACT_UP_TO, EXACT_UP_TO);
        for ties in [vec![1; 60], vec![3; 20], vec![20, 10, 15, 15]] {
            // Where a decision is made: probabilities up to about one in ten.
            for u in [200.0, 260.0, 300.0, 320.0, 335.0] {
                let difference = exact_p(u, m, n, &ties) - normal_p(u, m as f64, n as f64, &ties);
                assert!(difference.abs() < 0.01, "{u} {ties:?}: {difference}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn it_equals_enumeration_with_and_without_ties(values in prop::collection::vec(0u8..20, 10), m in 1usize..9) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let (first, second) = values.split_at(m);
            let outcome = mann_whitney(&sample(first.to_vec()), &sample(second.to_vec()));
            prop_assert_eq!(outcome.method, Method::Exact);
            prop_assert!((outcome.p - p_by_enumeration(first, second)).abs() < 1e-12);
        }

        #[test]
        fn exchanging_the_samples_mirrors_u_and_keeps_p(first in prop::collection::vec(0u16..500, 1..60), second in prop::collection::vec(0u16..500, 1..60)) {
            let (first, second) = (sample(first.into_iter().map(f64::from)), sample(second.into_iter().map(f64::from)));
            let (one, other) = (mann_whitney(&first, &second), mann_whitney(&second, &first));
            prop_assert_eq!(one.u + other.u, (first.sorted().len() * second.sorted().len()) as f64);
            prop_assert!((one.p - other.p).abs() < 1e-9 && (0.0..=1.0).contains(&one.p));
        }
    }
}
