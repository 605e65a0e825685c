//! How many requests in a time.

use std::str::FromStr;

use super::ValueError;

/// At most this many requests in a time, written `50/s` or `300/m`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// Requests per second.
    pub per_second: f64,
}

impl FromStr for Rate {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ValueError {
            given: text.to_owned(),
            expected: "a rate; write requests per second or minute, like 50/s or 300/m",
        };
        let (number, unit) = text.split_once('/').unwrap_or((text, "s"));
        let number: f64 = number.trim().parse().map_err(|_| error())?;
        let per_second = match unit.trim() {
            "s" => number,
            "m" => number / 60.0,
            _ => return Err(error()),
        };
        if per_second.is_finite() && per_second > 0.0 { Ok(Self { per_second }) } else { Err(error()) }
    }
}

deserialize_from_str!(Rate);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_per_second_or_minute() {
        for (text, per_second) in [("50/s", 50.0), ("300/m", 5.0), ("7", 7.0), ("0.5/s", 0.5)] {
            assert_eq!(text.parse(), Ok(Rate { per_second }), "{text}");
        }
        for text in ["", "0/s", "-1/s", "fast", "5/d", "inf/s"] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }
}
