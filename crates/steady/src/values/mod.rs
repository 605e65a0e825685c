//! Values that options and `steady.toml` share: durations, rates, sizes, documents, addresses, probabilities, perturbations.

mod api_url;
mod explain;
mod factor;
mod file_line;
mod perturbations;
mod probability;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Deserializer, de};

pub use api_url::ApiUrl;
pub use explain::Explain;
pub use factor::Factor;
pub use file_line::FileLine;
pub use perturbations::Perturbations;
pub use probability::Probability;

/// A value could not be read; the message says what was expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not {expected}")]
pub struct ValueError {
    /// What was given.
    pub given: String,
    /// What was expected, with an example.
    pub expected: &'static str,
}

/// Reads a number that is not zero, for options that count something.
pub fn count<T: FromStr>(text: &str) -> Result<T, ValueError> {
    let error = |_| ValueError { given: text.to_owned(), expected: "a whole number of at least 1" };
    text.trim().parse().map_err(error)
}

/// Reads an environment variable for a command: `NAME=VALUE`.
pub fn variable(text: &str) -> Result<(String, String), ValueError> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(ValueError { given: text.to_owned(), expected: "a variable; write NAME=VALUE" }),
    }
}

/// Reads one of the values of an enum by its name; help and errors list the names.
pub fn one_of<T, const N: usize>(all: [T; N], name: fn(T) -> &'static str) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: std::error::Error + Send + Sync + 'static> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(all.map(name)).try_map(|name| name.parse::<T>())
}

/// Reads `on` or `off`.
pub fn switch() -> impl TypedValueParser<Value = Switch> {
    one_of([Switch(true), Switch(false)], Switch::as_str)
}

/// Lets a value be written in `steady.toml` the way it is written on the command line.
macro_rules! deserialize_from_str {
    ($type:ty) => {
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
            }
        }
    };
}

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
deserialize_from_str!(Switch);
deserialize_from_str!(Perturbations);
deserialize_from_str!(Probability);

/// `on` or `off`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch(pub bool);

impl Switch {
    fn as_str(self) -> &'static str {
        if self.0 { "on" } else { "off" }
    }
}

impl FromStr for Switch {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "on" => Ok(Self(true)),
            "off" => Ok(Self(false)),
            _ => Err(ValueError { given: text.to_owned(), expected: "on or off" }),
        }
    }
}

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

/// A number of bytes, written `4096`, `512KB`, `4MB` or `1GB` (powers of 1024).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteSize(pub usize);

impl FromStr for ByteSize {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ValueError {
            given: text.to_owned(),
            expected: "a size; write a whole number of bytes, or of KB, MB or GB, like 4MB",
        };
        let (number, unit) = split_unit(text);
        let number: usize = number.parse().map_err(|_| error())?;
        let shift = match unit.to_ascii_uppercase().as_str() {
            "" | "B" => 0,
            "K" | "KB" | "KIB" => 10,
            "M" | "MB" | "MIB" => 20,
            "G" | "GB" | "GIB" => 30,
            _ => return Err(error()),
        };
        number.checked_mul(1 << shift).filter(|size| *size > 0).map(Self).ok_or_else(error)
    }
}

deserialize_from_str!(ByteSize);

/// Where a document is: a file, or an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocumentSource {
    /// In a file.
    File(PathBuf),
    /// At this address.
    Url(String),
}

impl FromStr for DocumentSource {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once("://") {
            _ if text.trim().is_empty() => {
                Err(ValueError { given: text.to_owned(), expected: "a file or an address" })
            }
            Some((scheme, _)) if ["http", "https"].contains(&scheme.to_ascii_lowercase().as_str()) => {
                Ok(Self::Url(text.to_owned()))
            }
            Some(_) => Err(ValueError {
                given: text.to_owned(),
                expected: "an address that can be read; give a file, or an address with http or https",
            }),
            None => Ok(Self::File(PathBuf::from(text))),
        }
    }
}

impl fmt::Display for DocumentSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Url(url) => f.write_str(url),
        }
    }
}

deserialize_from_str!(DocumentSource);

fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let unit = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    (text[..unit].trim(), &text[unit..])
}

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
    fn a_variable_has_a_name_and_a_value() {
        assert_eq!(variable("A=2=3"), Ok(("A".to_owned(), "2=3".to_owned())));
        assert_eq!(variable("A="), Ok(("A".to_owned(), String::new())));
        assert!(variable("A").is_err() && variable("=x").is_err());
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

    #[test]
    fn rates_are_per_second_or_minute() {
        for (text, per_second) in [("50/s", 50.0), ("300/m", 5.0), ("7", 7.0), ("0.5/s", 0.5)] {
            assert_eq!(text.parse(), Ok(Rate { per_second }), "{text}");
        }
        for text in ["", "0/s", "-1/s", "fast", "5/d", "inf/s"] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_bytes_or_powers_of_1024() {
        for (text, bytes) in [("4096", 4096), ("4KB", 4096), ("2MiB", 2 << 20), ("1gb", 1 << 30)] {
            assert_eq!(text.parse(), Ok(ByteSize(bytes)), "{text}");
        }
        for text in ["", "0", "-1", "4TB", "99999999999GB"] {
            assert!(text.parse::<ByteSize>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_document_is_a_file_unless_it_has_a_scheme() {
        assert_eq!("api.json".parse(), Ok(DocumentSource::File("api.json".into())));
        assert_eq!("HTTP://a.test/x".parse(), Ok(DocumentSource::Url("HTTP://a.test/x".into())));
        assert!("ftp://a.test/x".parse::<DocumentSource>().is_err());
    }
}
