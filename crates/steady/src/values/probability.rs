//! A probability.

use std::str::FromStr;

use super::ValueError;

/// A number between 0 and 1, both excluded, written `0.99` or `99%`.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Probability(pub f64);

impl FromStr for Probability {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ValueError {
            given: text.to_owned(),
            expected: "a probability; write a number between 0 and 1, like 0.99, or a percentage, like 99%",
        };
        let (number, scale) = match text.strip_suffix('%') {
            Some(percent) => (percent, 100.0),
            None => (text, 1.0),
        };
        let number: f64 = number.trim().parse().map_err(|_| error())?;
        let probability = number / scale;
        if probability > 0.0 && probability < 1.0 { Ok(Self(probability)) } else { Err(error()) }
    }
}

deserialize_from_str!(Probability);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_lie_between_0_and_1() {
        for (text, value) in [("0.99", 0.99), ("1%", 0.01), ("99 %", 0.99)] {
            assert_eq!(text.parse(), Ok(Probability(value)), "{text}");
        }
        for text in ["", "0", "1", "-0.1", "99", "100%", "NaN", "inf"] {
            assert!(text.parse::<Probability>().is_err(), "{text}");
        }
    }
}
