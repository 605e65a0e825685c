//! The two probabilities a person chooses: how sure to be, and how often a test may fail.

use std::fmt;
use std::str::FromStr;

/// A number is not the probability that was asked for; the message says which numbers are.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not {expected}")]
pub struct OutOfRange {
    /// What was given.
    pub given: String,
    /// What was expected, with an example.
    pub expected: &'static str,
}

/// The confidence of a statement: above one half and below one.
///
/// One half is the least meaningful value: a coin is as reliable.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Confidence(f64);

impl Confidence {
    const EXPECTED: &str = "a confidence; write a number above 0.5 and below 1, like 0.99";

    /// A confidence above one half and below one.
    pub fn new(value: f64) -> Result<Self, OutOfRange> {
        between(value, 0.5, Self::EXPECTED).map(Self)
    }

    /// The confidence as a number.
    pub fn get(self) -> f64 {
        self.0
    }

    /// The probability of a wrong statement that remains.
    pub fn error(self) -> f64 {
        1.0 - self.0
    }
}

impl Default for Confidence {
    fn default() -> Self {
        Self(0.99)
    }
}

/// How often something happens, as a share of the runs: above zero and below one.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Rate(pub(crate) f64);

impl Rate {
    const EXPECTED: &str = "a failure rate; write a number above 0 and below 1, like 0.01";

    /// A rate above zero and below one.
    pub fn new(value: f64) -> Result<Self, OutOfRange> {
        between(value, 0.0, Self::EXPECTED).map(Self)
    }

    /// The rate as a number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl FromStr for Confidence {
    type Err = OutOfRange;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::new(number(text, Self::EXPECTED)?)
    }
}

impl FromStr for Rate {
    type Err = OutOfRange;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::new(number(text, Self::EXPECTED)?)
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

fn between(value: f64, low: f64, expected: &'static str) -> Result<f64, OutOfRange> {
    let inside = value > low && value < 1.0;
    if inside { Ok(value) } else { Err(OutOfRange { given: value.to_string(), expected }) }
}

fn number(text: &str, expected: &'static str) -> Result<f64, OutOfRange> {
    text.trim().parse().map_err(|_| OutOfRange { given: text.to_owned(), expected })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confidence_lies_between_one_half_and_one() {
        for bad in [0.5, 1.0, 99.0, -0.1, f64::NAN, f64::INFINITY] {
            assert!(Confidence::new(bad).is_err(), "{bad}");
        }
        assert_eq!("0.95".parse::<Confidence>().unwrap().get(), 0.95);
    }

    #[test]
    fn the_message_says_what_to_write() {
        let error = "99".parse::<Confidence>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`99` is not a confidence; write a number above 0.5 and below 1, like 0.99"
        );
        let error = "1%".parse::<Rate>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`1%` is not a failure rate; write a number above 0 and below 1, like 0.01"
        );
    }
}
