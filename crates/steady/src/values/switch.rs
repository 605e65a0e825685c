//! `on` or `off`.

use std::str::FromStr;

use clap::builder::TypedValueParser;

use super::{ValueError, one_of};

/// Reads `on` or `off`.
pub fn switch() -> impl TypedValueParser<Value = Switch> {
    one_of([Switch(true), Switch(false)], Switch::as_str)
}

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

deserialize_from_str!(Switch);
