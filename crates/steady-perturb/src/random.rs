//! What the system draws at random: with a fixed seed, generators that start from it give the same numbers in every run.

use crate::{Ground, Surroundings};

pub const FIRST: u32 = 2;
pub const MORE: u32 = 5;

const SEEDS: [&str; 4] = ["1", "2", "3", "4"];
const SPARE: [&str; 8] = ["5", "6", "7", "8", "9", "10", "11", "12"];

pub fn values(ground: &Ground) -> Vec<String> {
    if ground.can_interpose { SEEDS.map(str::to_owned).into() } else { Vec::new() }
}

pub fn spare(ground: &Ground) -> Vec<String> {
    if ground.can_interpose { SPARE.map(str::to_owned).into() } else { Vec::new() }
}

pub fn apply(value: &str, surroundings: &mut Surroundings) {
    surroundings.random = value.parse().ok();
}
