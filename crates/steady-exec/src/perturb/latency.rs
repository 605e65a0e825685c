//! The network: slower connections reveal tests that expect an immediate answer.

use std::time::Duration;

use crate::{Capabilities, Overrides};

pub const FIRST: u32 = 2;
pub const MORE: u32 = 5;

const DELAYS: [(&str, u64); 2] = [("+50ms", 50), ("+400ms", 400)];

pub fn values(capabilities: &Capabilities) -> Vec<String> {
    if !capabilities.can_preload {
        return Vec::new();
    }
    DELAYS.iter().map(|(name, _)| (*name).to_owned()).collect()
}

pub fn apply(value: &str, overrides: &mut Overrides) {
    let delay = DELAYS.iter().find(|(name, _)| *name == value);
    overrides.latency = delay.map(|(_, milliseconds)| Duration::from_millis(*milliseconds));
}
