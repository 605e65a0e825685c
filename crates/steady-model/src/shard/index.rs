//! One of several machines or jobs that share the work.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A shard could not be read; the message says what to write.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// It is not two whole numbers with a slash between them.
    #[error("`{given}` is not a shard; write K/N, like 2/5 for the second of five")]
    Malformed {
        /// What was given.
        given: String,
    },
    /// There are no shards at all.
    #[error("shard {index}/0 is one of none; the number after the slash must be 1 or more")]
    NoShards {
        /// The number before the slash.
        index: u32,
    },
    /// More shards than any engine starts: a typing error, and costly to accept.
    #[error("{count} shards are too many; the most is {}", Shard::MOST)]
    TooMany {
        /// The number after the slash.
        count: u32,
    },
    /// The index is not among the shards.
    #[error(
        "shard {index}/{count} does not exist; shards are counted from 1, so write 1/{count} to {count}/{count}"
    )]
    OutOfRange {
        /// The number before the slash.
        index: u32,
        /// The number after the slash.
        count: u32,
    },
}

/// The `index`-th of `count` shards, counted from one and written `index/count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "Fields")]
pub struct Shard {
    index: u32,
    count: u32,
}

/// A shard as files have it.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Fields {
    index: u32,
    count: u32,
}

impl TryFrom<Fields> for Shard {
    type Error = ShardError;

    fn try_from(Fields { index, count }: Fields) -> Result<Self, ShardError> {
        Self::new(index, count)
    }
}

impl Shard {
    /// The only shard: all of the work.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// The most shards there can be: as many pods as a Kubernetes Indexed Job runs at a time.
    pub const MOST: u32 = 100_000;

    /// The `index`-th of `count` shards, counted from one.
    pub fn new(index: u32, count: u32) -> Result<Self, ShardError> {
        match (index, count) {
            (_, 0) => Err(ShardError::NoShards { index }),
            _ if count > Self::MOST => Err(ShardError::TooMany { count }),
            _ if (1..=count).contains(&index) => Ok(Self { index, count }),
            _ => Err(ShardError::OutOfRange { index, count }),
        }
    }

    /// Which shard this is, counted from one.
    pub fn index(self) -> u32 {
        self.index
    }

    /// How many shards there are.
    pub fn count(self) -> u32 {
        self.count
    }

    /// Whether this shard does all of the work.
    pub fn is_whole(self) -> bool {
        self.count == 1
    }

    /// The seed of this shard: shards explore different requests.
    ///
    /// The only shard keeps the seed it is given: `--shard 1/1` changes nothing.
    pub fn seed(self, seed: u64) -> u64 {
        if self.is_whole() { seed } else { xxh3_64_with_seed(&self.index.to_le_bytes(), seed) }
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let malformed = || ShardError::Malformed { given: text.to_owned() };
        let (index, count) = text.split_once('/').ok_or_else(malformed)?;
        let number = |part: &str| whole_number(part).ok_or_else(malformed);
        Self::new(number(index)?, number(count)?)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.index, self.count)
    }
}

/// A number in plain digits; `+3`, which Rust would accept, is refused.
pub(crate) fn whole_number(text: &str) -> Option<u32> {
    let text = text.trim();
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn message(text: &str) -> String {
        text.parse::<Shard>().unwrap_err().to_string()
    }

    #[test]
    fn what_is_not_a_shard_is_refused_with_what_to_write() {
        for text in ["", "3", "/", "1/", "/2", "a/b", "1/2/3", "+1/2", "-1/2", "1/99999999999", "1.0/2"] {
            let expected = format!("`{text}` is not a shard; write K/N, like 2/5 for the second of five");
            assert_eq!(message(text), expected);
        }
        assert_eq!(message("1/0"), "shard 1/0 is one of none; the number after the slash must be 1 or more");
        assert_eq!(
            message("0/4"),
            "shard 0/4 does not exist; shards are counted from 1, so write 1/4 to 4/4"
        );
        assert_eq!(
            message("5/4"),
            "shard 5/4 does not exist; shards are counted from 1, so write 1/4 to 4/4"
        );
    }

    #[test]
    fn shards_search_with_different_seeds_and_the_only_one_with_the_given() {
        let seeds: BTreeSet<u64> = (1..=100).map(|index| Shard::new(index, 100).unwrap().seed(7)).collect();
        assert_eq!(seeds.len(), 100);
        assert_eq!(Shard::WHOLE.seed(7), 7);
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_again(count in 1..=Shard::MOST, index in any::<prop::sample::Index>()) {
            let index = index.index(count as usize) as u32 + 1;
            let shard = Shard::new(index, count).unwrap();
            prop_assert_eq!(shard.to_string().parse(), Ok(shard));
        }
    }
}
