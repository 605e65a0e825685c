//! Values that no line has: what developers usually write.

use super::model::Tables;

/// Times that people write.
const ROUND: [u64; 48] = [
    5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 120, 150, 200, 250, 300, 400, 500, 600, 750, 800, 1_000,
    1_200, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000, 5_000, 6_000, 7_500, 8_000, 10_000, 12_000, 15_000,
    20_000, 25_000, 30_000, 40_000, 45_000, 50_000, 60_000, 90_000, 100_000, 120_000, 180_000,
];
/// By how much a time is raised, in hundredths.
const FACTORS: [u64; 9] = [150, 200, 250, 300, 400, 500, 600, 1_000, 2_000];
/// A round time further up than this is no answer to a wait that was too short.
const FURTHEST: u64 = 20;
/// A time that is rarer than this among fixes is not guessed.
const RAREST: f64 = 0.004;

/// Values to try for a wait that has a time, or for one that has none; always some.
pub(crate) fn guesses(old: Option<u64>, kinds: &[f64; 4], tables: &Tables) -> Vec<u64> {
    let mut values: Vec<u64> = match old {
        Some(old) => {
            let factors = FACTORS.iter().map(|factor| old.saturating_mul(*factor) / 100);
            let round = ROUND.iter().copied().filter(|&ms| ms > old && ms <= old.saturating_mul(FURTHEST));
            factors.chain(round).filter(|&ms| ms > old).collect()
        }
        None => ROUND.iter().copied().filter(|&ms| tables.usual(ms, kinds) > RAREST).collect(),
    };
    values.sort_unstable();
    values.dedup();
    if values.is_empty() { vec![old.map_or(1_000, |old| old.saturating_mul(2).max(1))] } else { values }
}
