//! Whether a test fails equally often under several conditions.

use statrs::function::factorial::ln_binomial;

use crate::Counts;

/// Tables whose probabilities differ by no more than this part count as equally likely, as in R's `fisher.test`.
const EQUAL: f64 = 1e-7;
/// The most tables that are enumerated.
const MOST_TABLES: u64 = 50_000;

/// How likely outcomes at least this unevenly spread over the groups are when all of them fail equally often.
///
/// Fisher's exact test for any number of groups: all tables with the same totals are enumerated; those no more likely than
/// the observed one count. `None` where there are too many of them.
///
/// Source: G. H. Freeman and J. H. Halton, *Note on an Exact Treatment of Contingency, Goodness of Fit and Other Problems of
/// Significance*, Biometrika 38 (1951), pages 141–149.
pub fn homogeneity(groups: &[Counts]) -> Option<f64> {
    let mut groups: Vec<Counts> = groups.iter().copied().filter(|group| group.runs() > 0).collect();
    // The largest group takes what the others leave: it needs no enumeration.
    groups.sort_by_key(|group| group.runs());
    let Some(largest) = groups.pop() else { return Some(1.0) };
    let failures = groups.iter().map(|group| group.failed).sum::<u64>() + largest.failed;
    let possible = |group: &Counts| group.runs().min(failures) + 1;
    let tables = groups.iter().try_fold(1_u64, |product, group| product.checked_mul(possible(group)));
    if tables.is_none_or(|tables| tables > MOST_TABLES) {
        return None;
    }
    let ways = |group: &Counts| -> Vec<f64> {
        (0..=group.runs().min(failures)).map(|failed| ln_binomial(group.runs(), failed)).collect()
    };
    let tables = Tables { rows: groups.iter().map(ways).collect(), last: ways(&largest) };
    let observed: f64 =
        groups.iter().zip(&tables.rows).map(|(group, ways)| ways[group.failed as usize]).sum();
    let runs = groups.iter().map(|group| group.runs()).sum::<u64>() + largest.runs();
    let all = ln_binomial(runs, failures);
    let limit = observed + tables.last[largest.failed as usize] + EQUAL;
    Some(tables.no_likelier(0, failures as usize, 0.0, limit, all).min(1.0))
}

/// Per group, the logarithm of the ways to have each number of failures.
struct Tables {
    rows: Vec<Vec<f64>>,
    last: Vec<f64>,
}

impl Tables {
    /// The probability of the tables that begin with what was chosen before this row and are not likelier than `limit`.
    fn no_likelier(&self, row: usize, failures: usize, chosen: f64, limit: f64, all: f64) -> f64 {
        let Some(ways) = self.rows.get(row) else {
            let table = self.last.get(failures).map(|ways| chosen + ways);
            return table.filter(|table| *table <= limit).map_or(0.0, |table| (table - all).exp());
        };
        let fitting = ways.iter().enumerate().take(failures + 1);
        fitting
            .map(|(failed, ways)| self.no_likelier(row + 1, failures - failed, chosen + ways, limit, all))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::choose;
    use crate::fisher;

    fn counts(passed: u64, failed: u64) -> Counts {
        Counts { passed, failed }
    }

    #[test]
    fn with_two_groups_it_is_fishers_test() {
        for cells in 0..6u64.pow(4) {
            let [a, b, c, d] = [0, 1, 2, 3].map(|place| cells / 6u64.pow(place) % 6);
            let (one, other) = (counts(a, b), counts(c, d));
            let found = homogeneity(&[one, other]).unwrap();
            assert!((found - fisher(one, other)).abs() < 1e-7, "{one:?} {other:?}: {found}");
        }
    }

    #[test]
    fn with_three_groups_it_equals_enumeration() {
        for cells in 0..4u64.pow(6) {
            let [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map(|place| cells / 4u64.pow(place) % 4);
            let groups = [counts(a, b), counts(c, d), counts(e, f)];
            let [one, two, three] = groups.map(Counts::runs);
            let failures = b + d + f;
            let weight = |x: u64, y: u64, z: u64| choose(one, x) * choose(two, y) * choose(three, z);
            let mut extreme = 0.0;
            for x in 0..=one {
                for y in 0..=two {
                    if let Some(z) = failures.checked_sub(x + y).filter(|z| *z <= three)
                        && weight(x, y, z) <= weight(b, d, f) * (1.0 + 1e-7)
                    {
                        extreme += weight(x, y, z);
                    }
                }
            }
            let expected = extreme / choose(one + two + three, failures);
            let found = homogeneity(&groups).unwrap();
            assert!((found - expected).abs() < 1e-7, "{groups:?}: {found} {expected}");
        }
    }

    #[test]
    fn seeds_that_decide_an_outcome_are_seen_beside_runs_without_one() {
        let seeds = [counts(5, 0), counts(0, 5), counts(5, 0)];
        let apart = homogeneity(&[seeds[0], seeds[1], seeds[2], counts(20, 10)]).unwrap();
        let mixed = homogeneity(&[counts(4, 1), counts(3, 2), counts(3, 2), counts(20, 10)]).unwrap();
        assert!(apart < 0.005, "{apart}");
        assert!(mixed > 0.8, "{mixed}");
    }

    #[test]
    fn too_many_tables_are_not_enumerated() {
        assert_eq!(homogeneity(&[counts(50, 50); 6]), None);
        assert_eq!(homogeneity(&[]), Some(1.0));
    }
}
