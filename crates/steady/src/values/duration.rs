//! Lengths of time: short ones, and how far back something lies.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::{ValueError, split_unit};

/// A length of time, written `500ms`, `90s`, `2m` or `1h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub struct HumanDuration(pub Duration);

impl FromStr for HumanDuration {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ValueError {
            given: text.to_owned(),
            expected: "a length of time; write a number and ms, s, m or h, like 90s or 2m",
        };
        let (number, unit) = split_unit(text);
        let number: f64 = number.parse().map_err(|_| error())?;
        let seconds = match unit {
            "ms" => number / 1000.0,
            "s" => number,
            "m" => number * 60.0,
            "h" => number * 3600.0,
            _ => return Err(error()),
        };
        Duration::try_from_secs_f64(seconds).ok().filter(|span| !span.is_zero()).map(Self).ok_or_else(error)
    }
}

deserialize_from_str!(HumanDuration);

/// How far back something lies, written `12h`, `30d` or `8w`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub struct Age(pub Duration);

impl FromStr for Age {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ValueError {
            given: text.to_owned(),
            expected: "an age; write a whole number and h, d or w, like 12h or 30d",
        };
        let (number, unit) = split_unit(text);
        let number: u64 = number.parse().map_err(|_| error())?;
        let hours = match unit {
            "h" => 1,
            "d" => 24,
            "w" => 24 * 7,
            _ => return Err(error()),
        };
        // Longer than a thousand years is a slip of the finger.
        let hours = number.checked_mul(hours).filter(|hours| (1..=9_000_000).contains(hours));
        hours.map(|hours| Self(Duration::from_secs(hours * 3_600))).ok_or_else(error)
    }
}

impl fmt::Display for Age {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hours = self.0.as_secs() / 3_600;
        match hours {
            hours if hours % 24 == 0 && hours > 24 => write!(f, "{} days", hours / 24),
            1 => f.write_str("hour"),
            hours => write!(f, "{hours} hours"),
        }
    }
}

deserialize_from_str!(Age);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_number_and_a_unit() {
        let cases = [("500ms", 500), ("90s", 90_000), ("2m", 120_000), ("1h", 3_600_000), ("1.5s", 1500)];
        for (text, milliseconds) in cases {
            assert_eq!(text.parse(), Ok(HumanDuration(Duration::from_millis(milliseconds))), "{text}");
        }
        for text in ["", "60", "s", "-1s", "0s", "1 day", "1e400s", "nans"] {
            assert!(text.parse::<HumanDuration>().is_err(), "{text}");
        }
    }

    #[test]
    fn ages_are_hours_days_or_weeks() {
        for (text, hours) in [("12h", 12), ("30d", 720), ("2w", 336)] {
            assert_eq!(text.parse(), Ok(Age(Duration::from_secs(hours * 3_600))), "{text}");
        }
        for text in ["", "30", "0d", "-1d", "1.5d", "5m", "99999999999999d"] {
            assert!(text.parse::<Age>().is_err(), "{text}");
        }
    }
}
