//! The system's random numbers: with a fixed seed, generators seeded from them give the same numbers in every run.

use crate::{Capabilities, Overrides};

pub const FIRST: u32 = 2;
pub const MORE: u32 = 5;

const SEEDS: [&str; 4] = ["1", "2", "3", "4"];
const SPARE: [&str; 8] = ["5", "6", "7", "8", "9", "10", "11", "12"];

pub fn values(capabilities: &Capabilities) -> Vec<String> {
    if capabilities.can_preload { SEEDS.map(str::to_owned).into() } else { Vec::new() }
}

pub fn spare(capabilities: &Capabilities) -> Vec<String> {
    if capabilities.can_preload { SPARE.map(str::to_owned).into() } else { Vec::new() }
}

pub fn apply(value: &str, overrides: &mut Overrides) {
    overrides.random = value.parse().ok();
}
