//! Randomness with a seed: the same seed gives the same stream on every machine and release.

use chacha20::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng};

/// A seeded stream of decisions.
#[derive(Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The stream number `stream` of a seed; streams of one seed are independent.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(stream);
        Self(generator)
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.0.random_bool(probability.clamp(0.0, 1.0))
    }

    /// A whole number from `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        if low >= high { low } else { self.0.random_range(low..=high) }
    }

    /// An index below `length`, which must not be zero.
    pub fn index(&mut self, length: usize) -> usize {
        if length <= 1 { 0 } else { self.0.random_range(0..length) }
    }

    /// A fraction from 0 up to, not including, 1.
    pub fn fraction(&mut self) -> f64 {
        self.0.random::<f64>()
    }

    /// One of the items, unless there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.index(items.len())) }
    }

    /// Lower-case letters and digits.
    pub fn word(&mut self, length: usize) -> String {
        const ALPHABET: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";
        (0..length).map(|_| char::from(ALPHABET[self.index(ALPHABET.len())])).collect()
    }

    /// Sixty-four random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }
}
