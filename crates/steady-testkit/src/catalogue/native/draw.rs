//! Values that differ from call to call.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};

/// Draws values. Long ones are random; small ones follow the attempt, so two in a row always differ.
#[derive(Debug)]
pub(crate) struct Draw {
    /// Keyed by the system, differently in every process.
    keys: RandomState,
    drawn: u64,
    attempts: BTreeMap<&'static str, u64>,
}

impl Draw {
    /// Draws for a new process.
    pub(crate) fn new() -> Self {
        Self { keys: RandomState::new(), drawn: 0, attempts: BTreeMap::new() }
    }

    /// 64 random bits.
    pub(crate) fn word(&mut self) -> u64 {
        self.drawn += 1;
        self.keys.hash_one(self.drawn)
    }

    /// Random hexadecimal digits.
    pub(crate) fn hex(&mut self, length: usize) -> String {
        self.text("0123456789abcdef", length)
    }

    /// Random characters of an ASCII alphabet.
    pub(crate) fn text(&mut self, alphabet: &str, length: usize) -> String {
        let letters = alphabet.as_bytes();
        (0..length).map(|_| letters[below(self.word(), letters.len())] as char).collect()
    }

    /// A random UUID, version 4.
    pub(crate) fn uuid(&mut self) -> String {
        let digits = self.hex(32);
        let variant = self.text("89ab", 1);
        format!(
            "{}-{}-4{}-{variant}{}-{}",
            &digits[..8],
            &digits[8..12],
            &digits[13..16],
            &digits[17..20],
            &digits[20..]
        )
    }

    /// A number in `0..1` that follows the attempt: the golden ratio's multiples never fall into a short cycle, so
    /// a test that calls a route twice does not see the same pair again in its next run.
    pub(crate) fn fraction(&mut self, what: &'static str) -> f64 {
        const GOLDEN: f64 = 0.618_033_988_749_895;
        let attempt = self.attempts.entry(what).or_insert(0);
        *attempt += 1;
        let start = (self.keys.hash_one(what) >> 11) as f64 / (1_u64 << 53) as f64;
        (start + *attempt as f64 * GOLDEN).fract()
    }

    /// A number below `count` that follows the attempt.
    pub(crate) fn choose(&mut self, what: &'static str, count: usize) -> usize {
        ((self.fraction(what) * count as f64) as usize).min(count - 1)
    }

    /// The same items in an order that follows the attempt.
    pub(crate) fn shuffle<T>(&mut self, what: &'static str, items: impl Into<Vec<T>>) -> Vec<T> {
        let mut rest: Vec<T> = items.into();
        let orders = (1..=rest.len()).product();
        let mut order = self.choose(what, orders);
        let mut shuffled = Vec::with_capacity(rest.len());
        while !rest.is_empty() {
            let next = order % rest.len();
            order /= rest.len();
            shuffled.push(rest.remove(next));
        }
        shuffled
    }
}

/// A number below `count` from random bits.
fn below(word: u64, count: usize) -> usize {
    usize::try_from(word % count as u64).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_choices_in_a_row_differ() {
        let mut draw = Draw::new();
        let mut before = draw.choose("colour", 3);
        for _ in 0..1_000 {
            let chosen = draw.choose("colour", 3);
            assert!(chosen < 3 && chosen != before);
            before = chosen;
        }
    }

    #[test]
    fn a_coin_shows_both_sides_within_three_throws() {
        let mut draw = Draw::new();
        for _ in 0..1_000 {
            let thrown = [(); 3].map(|()| draw.choose("coin", 2));
            assert!(thrown.contains(&0) && thrown.contains(&1), "{thrown:?}");
        }
    }

    #[test]
    fn shuffling_keeps_the_items_and_changes_their_order() {
        let mut draw = Draw::new();
        let mut before = draw.shuffle("tags", [1, 2, 3, 4]);
        for _ in 0..1_000 {
            let shuffled = draw.shuffle("tags", [1, 2, 3, 4]);
            assert_ne!(shuffled, before);
            let mut sorted = shuffled.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [1, 2, 3, 4]);
            before = shuffled;
        }
    }

    #[test]
    fn a_uuid_has_its_version_and_variant() {
        let uuid = Draw::new().uuid();
        let lengths: Vec<usize> = uuid.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12], "{uuid}");
        assert_eq!(&uuid[14..15], "4");
        assert!("89ab".contains(&uuid[19..20]), "{uuid}");
    }
}
