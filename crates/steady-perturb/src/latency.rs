//! The network: what expects an answer at once shows when connections take longer.

use std::time::Duration;

use crate::{Ground, Surroundings};

pub const FIRST: u32 = 2;
pub const MORE: u32 = 5;

const DELAYS: [(&str, u64); 2] = [("+50ms", 50), ("+400ms", 400)];

pub fn values(ground: &Ground) -> Vec<String> {
    if !ground.can_interpose {
        return Vec::new();
    }
    DELAYS.iter().map(|(name, _)| (*name).to_owned()).collect()
}

pub fn apply(value: &str, surroundings: &mut Surroundings) {
    let delay = DELAYS.iter().find(|(name, _)| *name == value);
    surroundings.latency = delay.map(|(_, milliseconds)| Duration::from_millis(*milliseconds));
}
