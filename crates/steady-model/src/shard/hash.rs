//! Partition by name.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::Shard;

/// The tests that belong to a shard by their names alone, in the order given.
///
/// Rendezvous hashing: every shard bids a hash of its number and the name, and the highest bid gets the test. Adding or
/// removing a test moves no other, as with the hash modulo the number of shards; but when a shard is
/// added, only the tests it wins move (one in `N + 1`), where modulo would move nearly all, and with them what each machine
/// had cached and measured. The cost is one hash per shard for each test of ours, a few nanoseconds each.
///
/// Source: D. G. Thaler and C. V. Ravishankar, *Using Name-Based Mappings to Increase Hit Rates*, IEEE/ACM Transactions
/// on Networking 6 (1998), pages 1–14.
pub fn by_hash<T: AsRef<str>>(tests: &[T], shard: Shard) -> Vec<&T> {
    tests.iter().filter(|test| shard.owns(test.as_ref())).collect()
}

impl Shard {
    /// Whether a name belongs to this shard; see [`by_hash`].
    pub fn owns(self, name: &str) -> bool {
        let bid = |index: u32| (xxh3_64_with_seed(name.as_bytes(), u64::from(index)), index);
        let ours = bid(self.index());
        (1..=self.count()).all(|index| bid(index) <= ours)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn owner(name: &str, count: u32) -> u32 {
        let owners: Vec<u32> =
            (1..=count).filter(|&index| Shard::new(index, count).unwrap().owns(name)).collect();
        assert_eq!(owners.len(), 1, "{name} has {owners:?} of {count}");
        owners[0]
    }

    #[test]
    fn the_partition_of_a_release_is_that_of_the_next() {
        let owners = ["login", "search", "cart", "größe", ""].map(|name| owner(name, 5));
        assert_eq!(owners, [4, 1, 1, 5, 2]);
    }

    #[test]
    fn shards_get_about_the_same_number_of_tests() {
        let names: Vec<String> = (0..10_000).map(|number| format!("tests/test_{number}.py::test")).collect();
        for index in 1..=10 {
            let size = by_hash(&names, Shard::new(index, 10).unwrap()).len();
            // Ten standard deviations of the 1000 expected.
            assert!((700..1300).contains(&size), "{index}: {size}");
        }
    }

    proptest! {
        #[test]
        fn every_name_belongs_to_exactly_one_shard(name in ".*", count in 1u32..40) {
            owner(&name, count);
        }

        #[test]
        fn a_new_shard_only_takes_and_nothing_else_moves(name in ".*", count in 1u32..40) {
            let (before, after) = (owner(&name, count), owner(&name, count + 1));
            prop_assert!(after == before || after == count + 1);
        }

        #[test]
        fn the_order_of_the_tests_is_kept(names in prop::collection::vec("[a-z]{1,3}", 0..30), count in 1u32..5) {
            let shard = Shard::new(1, count).unwrap();
            let expected: Vec<&String> = names.iter().filter(|name| owner(name, count) == 1).collect();
            prop_assert_eq!(by_hash(&names, shard), expected);
        }
    }
}
