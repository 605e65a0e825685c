//! How many runs look for the cause of flaky tests.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer};

use super::ValueError;

/// How many runs look for the cause of flaky tests: a number, or `full` for as many as it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Explain {
    /// At most this many.
    Runs(u32),
    /// As many as it takes.
    Full,
}

impl Explain {
    /// The most runs, where they are limited.
    pub fn most(self) -> Option<u32> {
        match self {
            Self::Runs(runs) => Some(runs),
            Self::Full => None,
        }
    }
}

impl FromStr for Explain {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.trim() == "full" {
            return Ok(Self::Full);
        }
        let error = |_| ValueError { given: text.to_owned(), expected: "a number of runs, or `full`" };
        text.trim().parse().map(Self::Runs).map_err(error)
    }
}

impl<'de> Deserialize<'de> for Explain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrWord;

        impl Visitor<'_> for NumberOrWord {
            type Value = Explain;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of runs, or \"full\"")
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Explain, E> {
                number.to_string().parse().map_err(E::custom)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Explain, E> {
                text.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_any(NumberOrWord)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_or_full() {
        assert_eq!("0".parse(), Ok(Explain::Runs(0)));
        assert_eq!("40".parse(), Ok(Explain::Runs(40)));
        assert_eq!("full".parse(), Ok(Explain::Full));
        for text in ["", "-1", "all", "1.5"] {
            assert!(text.parse::<Explain>().is_err(), "{text}");
        }
    }
}
