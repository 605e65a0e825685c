//! Sharding: which part of the work is ours.
//!
//! A [`Shard`] is one of several equal machines or jobs, written `2/5`. The engine that starts them (a CI service, a
//! cluster) schedules and retries; steady only works out which shard it is
//! ([`Shard::from_environment`]) and which tests belong to it:
//! [`by_hash`] needs nothing but the names, [`balanced`] evens out the time the shards take. Every test belongs to
//! exactly one shard, and each shard computes this alone.
//!
//! ```
//! use steady_model::shard::{Shard, by_hash};
//!
//! let tests = ["login", "search", "cart", "checkout", "logout"];
//! let shards = ["1/2", "2/2"].map(|shard| shard.parse::<Shard>().unwrap());
//! let [first, second] = shards.map(|shard| by_hash(&tests, shard));
//! assert_eq!(first.len() + second.len(), tests.len());
//! ```

mod balance;
mod detect;
mod engine;
mod hash;
mod index;
mod selection;
mod whole;

pub use balance::{Timed, balanced, fingerprint};
pub use detect::{DetectError, Detected};
pub use engine::{ENGINES, Engine, Numbering};
pub use hash::by_hash;
pub use index::{Shard, ShardError};
pub use selection::Selection;
pub use whole::ShardOfWhole;
