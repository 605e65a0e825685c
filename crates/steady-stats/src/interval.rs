//! The rates a set of runs supports.

use std::fmt;

/// A range of values that the observations support, both ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The least supported value.
    pub low: f64,
    /// The greatest supported value.
    pub high: f64,
}

impl Interval {
    /// What no runs at all support: any rate.
    pub const ANY_RATE: Self = Self { low: 0.0, high: 1.0 };

    /// Whether a value is supported.
    pub fn contains(self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// Writes rates as per cent: `0.0 %..24.9 %`.
impl fmt::Display for Interval {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:.1} %..{:.1} %", 100.0 * self.low, 100.0 * self.high)
    }
}
