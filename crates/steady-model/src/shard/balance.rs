//! Partition by stored run times.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use xxhash_rust::xxh3::xxh3_64;

use super::Shard;

/// A test and how long it took before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timed<'a> {
    /// The name of the test.
    pub name: &'a str,
    /// How long it took; nothing when it never ran.
    pub duration: Option<Duration>,
}

/// The tests of a shard when all shards should take about the same time, in the order given.
///
/// Longest first, each test goes to the shard with the least to do; equals are ordered by name. A test without a time
/// counts as the median of the others. No shard takes more than `4/3 − 1/(3N)` of the shortest time possible. A name given
/// twice is one test, with its longer time.
///
/// Every shard has to be given the same tests and times, or a test may end up in none: take the times from one stored
/// state, and compare [`fingerprint`]s when joining the results.
///
/// Source: R. L. Graham, *Bounds on Multiprocessing Timing Anomalies*, SIAM Journal on Applied Mathematics 17 (1969),
/// pages 416–429.
pub fn balanced<'a>(tests: &[Timed<'a>], shard: Shard) -> Vec<&'a str> {
    let mut longest_first: Vec<(&str, u128)> = weights(tests).into_iter().collect();
    longest_first.sort_by(|(one, long), (other, short)| short.cmp(long).then(one.cmp(other)));
    // The load of each shard: time, tests, index. The number of tests spreads those that take no time at all.
    let mut loads: BTreeSet<(u128, usize, u32)> = (1..=shard.count()).map(|index| (0, 0, index)).collect();
    let mut ours = BTreeSet::new();
    for (name, weight) in longest_first {
        let Some((time, tests, index)) = loads.pop_first() else { break };
        loads.insert((time + weight, tests + 1, index));
        if index == shard.index() {
            ours.insert(name);
        }
    }
    // Removing a name when it is met skips the second of two equal names.
    tests.iter().map(|test| test.name).filter(|name| ours.remove(name)).collect()
}

/// A number that is equal for shards that were given the same tests and times, in any order.
pub fn fingerprint(tests: &[Timed<'_>]) -> u64 {
    let lines = weights(tests).into_iter().map(|(name, weight)| format!("{}:{name}{weight}\n", name.len()));
    xxh3_64(lines.collect::<String>().as_bytes())
}

/// What each test counts, in nanoseconds.
fn weights<'a>(tests: &[Timed<'a>]) -> BTreeMap<&'a str, u128> {
    let mut known: BTreeMap<&str, Option<Duration>> = BTreeMap::new();
    for test in tests {
        let longest = known.entry(test.name).or_default();
        *longest = (*longest).max(test.duration);
    }
    let mut durations: Vec<Duration> = known.values().copied().flatten().collect();
    durations.sort();
    // Where nothing is known every test counts the same, whatever that is.
    let typical = durations.get(durations.len() / 2).copied().unwrap_or(Duration::from_secs(1));
    known.into_iter().map(|(name, duration)| (name, duration.unwrap_or(typical).as_nanos())).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NAMES: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];

    fn timed(milliseconds: &[Option<u64>]) -> Vec<Timed<'static>> {
        let durations = milliseconds.iter().map(|time| time.map(Duration::from_millis));
        NAMES.into_iter().zip(durations).map(|(name, duration)| Timed { name, duration }).collect()
    }

    fn partition<'a>(tests: &[Timed<'a>], count: u32) -> Vec<Vec<&'a str>> {
        (1..=count).map(|index| balanced(tests, Shard::new(index, count).unwrap())).collect()
    }

    /// The shortest time in which `count` machines can do all jobs, by trying every assignment.
    fn optimum(jobs: &[u64], loads: &mut Vec<u64>) -> u64 {
        let Some((job, rest)) = jobs.split_first() else { return loads.iter().copied().max().unwrap_or(0) };
        let times = (0..loads.len()).map(|machine| {
            loads[machine] += job;
            let time = optimum(rest, loads);
            loads[machine] -= job;
            time
        });
        times.min().unwrap_or(0)
    }

    #[test]
    fn the_longest_test_has_a_shard_to_itself_when_the_others_are_short() {
        let tests = timed(&[Some(10), Some(900), Some(20), None]);
        assert_eq!(partition(&tests, 2), [vec!["b"], vec!["a", "c", "d"]]);
    }

    #[test]
    fn without_any_times_the_numbers_are_even() {
        let sizes =
            |times: &[Option<u64>]| partition(&timed(times), 4).iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(sizes(&[None; 12]), [3; 4]);
        assert_eq!(sizes(&[Some(0); 12]), [3; 4]);
    }

    #[test]
    fn a_name_given_twice_is_one_test() {
        let tests = [timed(&[Some(1), Some(2)]), timed(&[Some(5)])].concat();
        assert_eq!(partition(&tests, 2), [vec!["a"], vec!["b"]]);
    }

    #[test]
    fn a_different_time_gives_a_different_fingerprint() {
        assert_ne!(fingerprint(&timed(&[Some(1), Some(2)])), fingerprint(&timed(&[Some(1), Some(3)])));
        assert_ne!(fingerprint(&timed(&[Some(1)])), fingerprint(&timed(&[Some(1), Some(1)])));
    }

    proptest! {
        #[test]
        fn every_test_is_in_exactly_one_shard(times in prop::collection::vec(prop::option::of(0u64..1000), 0..12), count in 1u32..6) {
            let tests = timed(&times);
            let mut all = partition(&tests, count).concat();
            all.sort_unstable();
            prop_assert_eq!(all, tests.iter().map(|test| test.name).collect::<Vec<_>>());
        }

        #[test]
        fn the_order_given_changes_nothing_but_the_order(times in prop::collection::vec(prop::option::of(0u64..5), 12), order in Just((0..12).collect::<Vec<usize>>()).prop_shuffle(), count in 1u32..6) {
            let tests = timed(&times);
            let shuffled: Vec<Timed<'_>> = order.into_iter().map(|index| tests[index]).collect();
            prop_assert_eq!(fingerprint(&tests), fingerprint(&shuffled));
            for (one, mut other) in partition(&tests, count).into_iter().zip(partition(&shuffled, count)) {
                other.sort_unstable();
                prop_assert_eq!(one, other);
            }
        }

        #[test]
        fn the_slowest_shard_stays_within_grahams_bound(jobs in prop::collection::vec(1u64..100, 1..8), count in 1u32..4) {
            let tests = timed(&jobs.iter().copied().map(Some).collect::<Vec<_>>());
            let time = |names: &Vec<&str>| -> u64 {
                names.iter().map(|name| jobs[NAMES.iter().position(|other| other == name).unwrap()]).sum()
            };
            let slowest = partition(&tests, count).iter().map(time).max().unwrap();
            let best = optimum(&jobs, &mut vec![0; count as usize]);
            let bound = 4.0 / 3.0 - 1.0 / (3.0 * f64::from(count));
            prop_assert!(slowest as f64 <= bound * best as f64 + 1e-9, "{slowest} {best}");
        }
    }
}
