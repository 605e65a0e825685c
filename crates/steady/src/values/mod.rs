//! Values that options and `steady.toml` share: durations, rates, sizes, documents, addresses, probabilities, perturbations.

/// Lets a value be written in `steady.toml` the way it is written on the command line.
macro_rules! deserialize_from_str {
    ($type:ty) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

mod api_url;
mod byte_size;
mod document;
mod duration;
mod explain;
mod factor;
mod file_line;
mod perturbations;
mod probability;
mod rate;
mod switch;

use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};

pub use api_url::ApiUrl;
pub use byte_size::ByteSize;
pub use document::DocumentSource;
pub use duration::{Age, HumanDuration};
pub use explain::Explain;
pub use factor::Factor;
pub use file_line::FileLine;
pub use perturbations::Perturbations;
pub use probability::Probability;
pub use rate::Rate;
pub use switch::{Switch, switch};

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

fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let unit = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    (text[..unit].trim(), &text[unit..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_has_a_name_and_a_value() {
        assert_eq!(variable("A=2=3"), Ok(("A".to_owned(), "2=3".to_owned())));
        assert_eq!(variable("A="), Ok(("A".to_owned(), String::new())));
        assert!(variable("A").is_err() && variable("=x").is_err());
    }
}
