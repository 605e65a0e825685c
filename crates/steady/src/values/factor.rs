//! How many times as long.

use std::str::FromStr;

use serde::{Deserialize, Deserializer, de};

use super::ValueError;

/// A number that something is multiplied by, at least 1: `1.5`.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Factor(pub f64);

impl Factor {
    fn checked(number: f64, given: &str) -> Result<Self, ValueError> {
        if (1.0..=100.0).contains(&number) {
            return Ok(Self(number));
        }
        Err(ValueError { given: given.to_owned(), expected: "a factor between 1 and 100, like 1.5" })
    }
}

impl FromStr for Factor {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::checked(text.parse().unwrap_or(f64::NAN), text)
    }
}

impl<'de> Deserialize<'de> for Factor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        Self::checked(number, &number.to_string()).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_makes_nothing_shorter() {
        assert_eq!("1.5".parse(), Ok(Factor(1.5)));
        for text in ["", "0.9", "-2", "NaN", "101", "x"] {
            assert!(text.parse::<Factor>().is_err(), "{text}");
        }
    }
}
