//! What speaks against folders being the parts of one whole.

use steady_model::shard::ShardOfWhole;

/// Parts that are missing, or were not cut from the same `things`.
pub fn doubts(parts: &[ShardOfWhole], things: &str) -> Vec<String> {
    let mut notes = Vec::new();
    let Some(first) = parts.first() else { return notes };
    if parts.iter().any(|part| (part.shard.count(), part.whole) != (first.shard.count(), first.whole)) {
        notes.push(format!("the shards saw different {things}; some may be in no shard"));
    }
    let missing: Vec<String> = (1..=first.shard.count())
        .filter(|index| !parts.iter().any(|part| part.shard.index() == *index))
        .map(|index| index.to_string())
        .collect();
    if !missing.is_empty() {
        notes.push(format!("shard {} of {} is missing", missing.join(", "), first.shard.count()));
    }
    notes
}
