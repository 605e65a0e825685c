//! Other work on the processor: a slower machine reveals fixed waits that should be condition waits.

use crate::Overrides;

pub const FIRST: u32 = 3;
pub const MORE: u32 = 10;

/// Threads per core, by name.
const LOADS: [(&str, u32); 2] = [("2 per core", 2), ("6 per core", 6)];

pub fn values() -> Vec<String> {
    LOADS.iter().map(|(name, _)| (*name).to_owned()).collect()
}

pub fn apply(value: &str, overrides: &mut Overrides) {
    overrides.load = LOADS.iter().find(|(name, _)| *name == value).map(|(_, threads)| *threads);
}
