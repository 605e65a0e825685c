//! How a value is written within a text.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::percent;

/// How a value that is only known when a test runs is written within a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Encoding {
    /// As it is.
    #[default]
    Plain,
    /// Percent-encoded, everything but unreserved characters, with capital digits.
    Percent,
    /// As within a JSON string, slashes escaped: `http:\/\/shop.test`.
    Json,
    /// In base64, with padding.
    Base64,
}

impl Encoding {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Percent, Self::Json, Self::Base64];

    /// The value, written this way.
    pub fn apply(self, value: &str) -> String {
        match self {
            Self::Plain => value.to_owned(),
            Self::Percent => percent::encode(value),
            Self::Json => {
                let quoted = serde_json::Value::from(value).to_string();
                quoted[1..quoted.len() - 1].replace('/', r"\/")
            }
            Self::Base64 => STANDARD.encode(value),
        }
    }

    pub(crate) fn is_plain(&self) -> bool {
        *self == Self::Plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_encoding_writes_a_value_its_way() {
        let value = "http://a:1/\"b\"";
        let written = Encoding::ALL.map(|encoding| encoding.apply(value));
        let expected =
            [value, "http%3A%2F%2Fa%3A1%2F%22b%22", r#"http:\/\/a:1\/\"b\""#, "aHR0cDovL2E6MS8iYiI="];
        assert_eq!(written, expected);
    }
}
