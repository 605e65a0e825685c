//! What the system draws at random: with a fixed seed, generators that start from it give the same numbers in every run.

use crate::{Ground, Surroundings};

pub const FIRST: u32 = 3;
pub const MORE: u32 = 4;

const SEEDS: [&str; 4] = ["1", "2", "3", "4"];

pub fn values(ground: &Ground) -> Vec<String> {
    if ground.can_interpose { SEEDS.map(str::to_owned).into() } else { Vec::new() }
}

pub fn apply(value: &str, surroundings: &mut Surroundings) {
    surroundings.random = value.parse().ok();
}
