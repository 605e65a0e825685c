//! Which perturbations change a test's outcome.

use std::collections::BTreeMap;

use steady_model::rerun::{Condition, Counts, Flip, Perturbation};
use steady_stats::{fisher, homogeneity};

use crate::evidence::Observations;
use crate::judge::counted;

/// The chance, over all comparisons made for one test, of naming a cause that is none. Runs are planned from what was seen,
/// and every look at them is a chance to be wrong: `simulation` measures what that comes to.
pub const FAMILY_ERROR: f64 = 0.02;

/// The p-value from which runs under a perturbation and plain runs count as alike.
const ALIKE: f64 = 0.2;

/// The share of the error probability for perturbations that can make the same test pass and fail in plain runs.
const LIKELY_PART: f64 = 0.8;

/// The perturbations that make a difference, the most certain one first.
///
/// A perturbation that makes a test stop failing counts as much as one that makes it fail. For each perturbation, the runs under each of its values
/// are compared with those without it, once value by value and once all values together: a test that
/// depends on a seed mixes when nothing is fixed, and under each seed does one or the other. Of several attempts in one run the first counts: a
/// later one is made only after a failure.
pub fn flips(observations: &Observations) -> Vec<Flip> {
    let groups = by_perturbation(observations);
    let plain = observations.first_under(&Condition::default());
    let alike: BTreeMap<Perturbation, Counts> = groups
        .iter()
        .filter(|(what, values)| spread(**what, values, plain) > ALIKE && pooled(values, plain) > ALIKE)
        .map(|(perturbation, values)| (*perturbation, together(values)))
        .collect();
    let flip = |(perturbation, values): (&Perturbation, &Vec<Value<'_>>)| {
        // Every run without it: the plain ones, and those under others that make no difference.
        let others = alike.iter().filter(|(other, _)| !shares_seeds(*perturbation, **other));
        let left_alone = others.fold(plain, |sum, (_, counts)| added(sum, *counts));
        let mut flip = compare(*perturbation, values, left_alone);
        flip.p_value = (flip.p_value / error_part(*perturbation, &groups, plain)).min(1.0);
        flip
    };
    let mut flips: Vec<Flip> = groups.iter().map(flip).filter(|flip| flip.p_value <= FAMILY_ERROR).collect();
    flips.sort_by(|one, other| one.p_value.total_cmp(&other.p_value));
    flips
}

/// The share of the error probability of a perturbation. A test that passes and fails in plain runs rarely does so because of
/// something that is the same in all of them, such as the time zone.
fn error_part(perturbation: Perturbation, groups: &Groups<'_>, plain: Counts) -> f64 {
    let likely = groups.keys().filter(|what| varies_by_itself(**what)).count();
    let all = groups.len();
    if !mixed(plain) || likely == 0 || likely == all {
        return 1.0 / all as f64;
    }
    if varies_by_itself(perturbation) {
        LIKELY_PART / likely as f64
    } else {
        (1.0 - LIKELY_PART) / (all - likely) as f64
    }
}

/// Whether it differs in every plain run.
fn varies_by_itself(perturbation: Perturbation) -> bool {
    is_seed(perturbation) || matches!(perturbation, Perturbation::Load | Perturbation::Latency)
}

/// Whether a change of one may also be a change of the other: the system's random numbers seed hash tables, too.
fn shares_seeds(one: Perturbation, other: Perturbation) -> bool {
    one == other || (is_seed(one) && is_seed(other))
}

/// Whether its values are only seeds.
pub fn is_seed(perturbation: Perturbation) -> bool {
    matches!(perturbation, Perturbation::Hash | Perturbation::Random)
}

fn together(values: &[Value<'_>]) -> Counts {
    values.iter().fold(Counts::default(), |sum, value| added(sum, value.counts))
}

fn added(one: Counts, other: Counts) -> Counts {
    Counts {
        passed: one.passed + other.passed,
        failed: one.failed + other.failed,
        skipped: one.skipped + other.skipped,
    }
}

type Groups<'a> = BTreeMap<Perturbation, Vec<Value<'a>>>;

/// The observations under one value of a perturbation.
#[derive(Debug, Clone, Copy)]
struct Value<'a> {
    name: &'a str,
    counts: Counts,
    began_failing: bool,
}

fn by_perturbation(observations: &Observations) -> Groups<'_> {
    let mut groups = Groups::new();
    for condition in observations.by_condition.keys() {
        let counts = observations.first_under(condition);
        if let Some((perturbation, name)) = only(condition)
            && counts.executed() > 0
        {
            let began_failing =
                counts.passed == 0 || (counts.failed > 0 && observations.began_failing.contains(condition));
            groups.entry(perturbation).or_default().push(Value { name, counts, began_failing });
        }
    }
    groups
}

fn only(condition: &Condition) -> Option<(Perturbation, &str)> {
    let mut changes = condition.0.iter();
    let (perturbation, value) = changes.next()?;
    changes.next().is_none().then_some((*perturbation, value.as_str()))
}

/// The effect of a perturbation on the test; value by value and all values together have half the error probability each.
fn compare(perturbation: Perturbation, values: &[Value<'_>], left_alone: Counts) -> Flip {
    let p_value = match values {
        [only] => fisher(counted(only.counts), counted(left_alone)),
        _ => 2.0 * spread(perturbation, values, left_alone).min(pooled(values, left_alone)),
    };
    let all = together(values);
    let (value, counts) = match values {
        [only] => (only.name, all),
        _ if !mixed(all) && is_seed(perturbation) => ("fixed", all),
        _ if !mixed(all) => ("changed", all),
        _ => most_different(values, left_alone).unwrap_or(("changed", all)),
    };
    Flip { perturbation, value: value.to_owned(), counts, p_value }
}

/// The value that differs most; of seeds that differ as much, one that makes the test fail.
fn most_different<'a>(values: &[Value<'a>], left_alone: Counts) -> Option<(&'a str, Counts)> {
    let rank = |value: &Value<'_>| (fisher(counted(value.counts), counted(left_alone)), -share(value.counts));
    let ranked = values.iter().map(|value| (value, rank(value)));
    let least =
        ranked.min_by(|(_, one), (_, other)| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
    least.map(|(value, _)| (value.name, value.counts))
}

/// How likely outcomes this unevenly spread over the values are if none of them makes a difference.
fn spread(perturbation: Perturbation, values: &[Value<'_>], left_alone: Counts) -> f64 {
    let mut groups: Vec<_> = if is_seed(perturbation) {
        after_first(values).map(counted).into()
    } else {
        values.iter().map(|value| counted(value.counts)).collect()
    };
    groups.push(counted(left_alone));
    homogeneity(&groups).unwrap_or_else(|| {
        let single = values.iter().map(|value| fisher(counted(value.counts), counted(left_alone)));
        single.fold(1.0, f64::min) * values.len() as f64
    })
}

/// The outcomes after the first run under each seed, grouped by the outcome of that first run. Which seeds are tried again depends on their
/// first runs, therefore those are excluded here.
fn after_first(values: &[Value<'_>]) -> [Counts; 2] {
    let mut groups = [Counts::default(); 2];
    for value in values {
        let group = &mut groups[usize::from(value.began_failing)];
        group.failed += value.counts.failed - u32::from(value.began_failing);
        group.passed += value.counts.passed - u32::from(!value.began_failing);
    }
    groups
}

/// How likely the outcomes under all values together are if they make no difference.
fn pooled(values: &[Value<'_>], left_alone: Counts) -> f64 {
    fisher(counted(together(values)), counted(left_alone))
}

/// Failures per run.
fn share(counts: Counts) -> f64 {
    f64::from(counts.failed) / f64::from(counts.executed().max(1))
}

/// Whether the test both passed and failed.
pub fn mixed(counts: Counts) -> bool {
    counts.passed > 0 && counts.failed > 0
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
    fn seeds_that_stop_the_failures_are_told() {
        // As seen in a real project: no seed fails, five of twenty plain runs do, and so do other runs.
        let found = flips(&seen(&[
            (None, 15, 5),
            (Some((Perturbation::Hash, "0")), 7, 0),
            (Some((Perturbation::Hash, "1")), 7, 0),
            (Some((Perturbation::Hash, "2")), 7, 0),
            (Some((Perturbation::Hash, "3")), 7, 0),
            (Some((Perturbation::Clock, "+1d3h")), 27, 8),
            (Some((Perturbation::Tz, "east")), 27, 8),
            (Some((Perturbation::Tmp, "elsewhere")), 27, 8),
            (Some((Perturbation::Locale, "C")), 27, 8),
        ]));
        let hash = found.first().unwrap();
        assert_eq!((hash.perturbation, hash.value.as_str()), (Perturbation::Hash, "fixed"));
        assert_eq!((hash.counts.passed, hash.counts.failed), (28, 0));
    }

    #[test]
    fn a_failure_under_load_alone_is_told_beside_many_runs_without() {
        let load = |value| Some((Perturbation::Load, value));
        let tz = |value| Some((Perturbation::Tz, value));
        let found = flips(&seen(&[(None, 20, 0), (tz("east"), 60, 0), (load("2"), 4, 1), (load("6"), 3, 2)]));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].perturbation, Perturbation::Load);
    }

    #[test]
    fn what_another_change_breaks_is_no_evidence_for_this_one() {
        let tz = |value| Some((Perturbation::Tz, value));
        let hash = |value| Some((Perturbation::Hash, value));
        let found =
            flips(&seen(&[(None, 20, 0), (tz("east"), 0, 40), (hash("0"), 30, 0), (hash("1"), 30, 0)]));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].perturbation, Perturbation::Tz);
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

    #[test]
    fn of_several_attempts_the_first_counts() {
        let random = |value| Some((Perturbation::Random, value));
        let mut test = seen(&[(None, 20, 10), (random("1"), 6, 6), (random("2"), 6, 0)]);
        let again = Counts { passed: 6, failed: 0, skipped: 0 };
        assert_eq!(flips(&test), []);
        // Under the first seed it failed six times, and passed each time it was tried again.
        test.again.insert(Condition::of(Perturbation::Random, "1"), again);
        let found = flips(&test);
        assert_eq!((found[0].value.as_str(), found[0].counts.failed), ("1", 6));
    }

    #[test]
    fn a_seed_that_is_tried_again_because_it_failed_is_no_evidence_by_that() {
        let random = |value| Some((Perturbation::Random, value));
        let mut test = seen(&[(None, 14, 6), (random("5"), 1, 1), (random("6"), 1, 1)]);
        for seed in ["1", "2", "3", "4"] {
            let counts = Counts { passed: 1, failed: 0, skipped: 0 };
            test.by_condition.insert(Condition::of(Perturbation::Random, seed), counts);
        }
        test.began_failing.extend(["5", "6"].map(|seed| Condition::of(Perturbation::Random, seed)));
        assert_eq!(flips(&test), []);
    }
}
