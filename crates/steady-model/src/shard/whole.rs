//! Which whole a shard was cut from.

use serde::{Deserialize, Serialize};

use super::Shard;

/// A shard of all tests, or of a search, and what it was cut from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShardOfWhole {
    /// Which shard.
    #[serde(flatten)]
    pub shard: Shard,
    /// Equal for shards that were cut from the same whole in the same way.
    pub whole: u64,
}
