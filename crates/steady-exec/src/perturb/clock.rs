//! The wall clock: tests that hold today's date or a deadline fail on another day.

use crate::{Capabilities, Overrides};

pub const FIRST: u32 = 2;
pub const MORE: u32 = 5;

const DAY: i64 = 86_400;
/// Another day and hour; the other half of the year, with or without summer time; beyond what was signed for a year.
const SHIFTS: [(&str, i64); 3] = [("+1d3h", DAY + 3 * 3_600), ("+183d", 183 * DAY), ("+800d", 800 * DAY)];

pub fn values(capabilities: &Capabilities) -> Vec<String> {
    if !capabilities.can_preload {
        return Vec::new();
    }
    SHIFTS.iter().map(|(name, _)| (*name).to_owned()).collect()
}

pub fn apply(value: &str, overrides: &mut Overrides) {
    overrides.clock_shift = SHIFTS.iter().find(|(name, _)| *name == value).map(|(_, seconds)| *seconds);
}
