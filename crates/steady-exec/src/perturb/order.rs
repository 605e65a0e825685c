//! The order of the tests: reveals state that one test leaves for another.

use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::{Capabilities, Overrides};

pub const FIRST: u32 = 1;
pub const MORE: u32 = 2;
/// A polluter comes before its victim in half of all orders, therefore six orders miss a pair once in 64 times.
const ORDERS: usize = 6;

pub fn values(capabilities: &Capabilities, seed: u64) -> Vec<String> {
    if !capabilities.can_order {
        return Vec::new();
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    (0..ORDERS).map(|_| random.random_range(1..=u64::from(u32::MAX)).to_string()).collect()
}

pub fn apply(value: &str, overrides: &mut Overrides) {
    overrides.order = value.parse().ok();
}
