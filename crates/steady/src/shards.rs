//! What speaks against folders being the parts of one whole.

use steady_model::rerun::Part;

/// Parts that are missing, or were not cut from the same `things`.
pub fn doubts(parts: &[Part], things: &str) -> Vec<String> {
    let mut notes = Vec::new();
    let Some(first) = parts.first() else { return notes };
    if parts.iter().any(|part| (part.count, part.whole) != (first.count, first.whole)) {
        notes.push(format!("the shards did not see the same {things}: some may be in none of them"));
    }
    let missing: Vec<String> = (1..=first.count)
        .filter(|index| !parts.iter().any(|part| part.index == *index))
        .map(|index| index.to_string())
        .collect();
    if !missing.is_empty() {
        notes.push(format!("shard {} of {} is missing", missing.join(", "), first.count));
    }
    notes
}
