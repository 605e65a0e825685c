//! Which changes around a test change its outcome.

use std::collections::BTreeMap;

use steady_model::rerun::{Condition, Counts, Flip, Perturbation};
use steady_stats::{fisher, holm};

use crate::evidence::Observations;
use crate::judge::counted;

/// The chance, over all comparisons made for one test, of naming a cause that is none.
const FAMILY_ERROR: f64 = 0.05;

/// A difference between two groups of runs that share all but one thing.
struct Comparison {
    flip: Flip,
    /// All values together: told only when no single one stands out.
    pooled: bool,
}

/// The changes that make a difference, the most certain one first.
///
/// For each perturbation, every value is compared with the plain runs. Seeds are also compared with each other, and all of
/// them together with the plain runs: a test that depends on a seed mixes when nothing is fixed and is of one mind under
/// each seed. Every comparison made costs the others some certainty, so that no more are made than are needed.
pub fn flips(observations: &Observations) -> Vec<Flip> {
    let mut comparisons = Vec::new();
    for (perturbation, values) in by_perturbation(observations) {
        compare(perturbation, &values, observations.plain(), &mut comparisons);
    }
    let adjusted = holm(&comparisons.iter().map(|comparison| comparison.flip.p_value).collect::<Vec<_>>());
    let mut best: BTreeMap<Perturbation, Comparison> = BTreeMap::new();
    for (mut comparison, p_value) in comparisons.into_iter().zip(adjusted) {
        comparison.flip.p_value = p_value;
        let perturbation = comparison.flip.perturbation;
        if p_value <= FAMILY_ERROR && best.get(&perturbation).is_none_or(|known| comparison.beats(known)) {
            best.insert(perturbation, comparison);
        }
    }
    let mut flips: Vec<Flip> = best.into_values().map(|comparison| comparison.flip).collect();
    flips.sort_by(|one, other| one.p_value.total_cmp(&other.p_value));
    flips
}

impl Comparison {
    fn beats(&self, other: &Self) -> bool {
        let rank =
            |comparison: &Self| (comparison.pooled, comparison.flip.p_value, -share(comparison.flip.counts));
        rank(self) < rank(other)
    }
}

fn by_perturbation(observations: &Observations) -> BTreeMap<Perturbation, Vec<(&str, Counts)>> {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (condition, counts) in &observations.by_condition {
        if let Some((perturbation, value)) = only(condition)
            && counts.executed() > 0
        {
            groups.entry(perturbation).or_default().push((value, *counts));
        }
    }
    groups
}

fn only(condition: &Condition) -> Option<(Perturbation, &str)> {
    let mut changes = condition.0.iter();
    let (perturbation, value) = changes.next()?;
    changes.next().is_none().then_some((*perturbation, value.as_str()))
}

fn compare(
    perturbation: Perturbation,
    values: &[(&str, Counts)],
    plain: Counts,
    comparisons: &mut Vec<Comparison>,
) {
    let mut push = |one: (&str, Counts), other: Option<(&str, Counts)>, base: Counts, pooled: bool| {
        let p_value = fisher(counted(one.1), counted(base));
        // The value that is told is the one that makes the test fail, if one of the two does more than the other.
        let told = other.filter(|other| share(other.1) > share(one.1)).unwrap_or(one);
        let flip = Flip { perturbation, value: told.0.to_owned(), counts: told.1, p_value };
        comparisons.push(Comparison { flip, pooled });
    };
    let seeded = matches!(perturbation, Perturbation::Hash | Perturbation::Random);
    for (index, one) in values.iter().enumerate() {
        push(*one, None, plain, false);
        for other in values[index + 1..].iter().filter(|_| seeded) {
            push(*one, Some(*other), other.1, false);
        }
    }
    if seeded && values.len() > 1 {
        let all = values.iter().fold(Counts::default(), |sum, (_, counts)| Counts {
            passed: sum.passed + counts.passed,
            failed: sum.failed + counts.failed,
            skipped: sum.skipped + counts.skipped,
        });
        push(("fixed", all), None, plain, true);
    }
}

fn share(counts: Counts) -> f64 {
    f64::from(counts.failed) / f64::from(counts.executed().max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Group = (Option<(Perturbation, &'static str)>, u32, u32);

    fn seen(groups: &[Group]) -> Observations {
        let mut observations = Observations::default();
        for (change, passed, failed) in groups {
            let condition =
                change.map_or_else(Condition::default, |(what, value)| Condition::of(what, value));
            let counts = Counts { passed: *passed, failed: *failed, skipped: 0 };
            observations.by_condition.insert(condition, counts);
        }
        observations
    }

    #[test]
    fn a_time_zone_that_always_fails_is_told() {
        let tz = |value| Some((Perturbation::Tz, value));
        let found = flips(&seen(&[(None, 20, 0), (tz("east"), 0, 7), (tz("west"), 2, 0)]));
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].perturbation, found[0].value.as_str()), (Perturbation::Tz, "east"));
    }

    #[test]
    fn a_test_of_one_mind_under_each_seed_depends_on_it() {
        let hash = |value| Some((Perturbation::Hash, value));
        let found = flips(&seen(&[(None, 11, 9), (hash("0"), 7, 0), (hash("1"), 0, 7), (hash("2"), 7, 0)]));
        assert_eq!((found[0].perturbation, found[0].value.as_str()), (Perturbation::Hash, "1"));
    }

    #[test]
    fn chance_is_no_flip() {
        let load = |value| Some((Perturbation::Load, value));
        assert_eq!(flips(&seen(&[(None, 14, 6), (load("2"), 3, 2), (load("6"), 2, 3)])), []);
    }

    #[test]
    fn a_stable_test_has_none() {
        let tz = |value| Some((Perturbation::Tz, value));
        assert_eq!(flips(&seen(&[(None, 20, 0), (tz("east"), 2, 0)])), []);
    }
}
