//! `--header 'Name: value'`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, de};
use steady_model::{Secret, is_credential_header};

use crate::values::ValueError;

/// A header to send with every request.
#[derive(Clone, PartialEq, Eq)]
pub struct HeaderArgument {
    /// Its lower-case name.
    pub name: String,
    /// Its value.
    pub value: Secret,
}

impl HeaderArgument {
    /// Whether the value is a credential, going by the name.
    pub fn is_secret(&self) -> bool {
        is_credential_header(&self.name)
    }
}

impl fmt::Debug for HeaderArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.value)
    }
}

impl FromStr for HeaderArgument {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ValueError {
            // The value may be a credential, so only the name is repeated.
            given: text.split([':', ' ']).next().unwrap_or_default().to_owned(),
            expected: "a header; write a name, a colon and a value, like 'X-Tenant: blue'",
        };
        let (name, value) = text.split_once(':').ok_or_else(error)?;
        let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        if name.is_empty() || !name.chars().all(is_token) || value.contains(['\r', '\n', '\0']) {
            return Err(error());
        }
        Ok(Self { name: name.to_ascii_lowercase(), value: Secret::new(value.trim()) })
    }
}

impl<'de> Deserialize<'de> for HeaderArgument {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_has_a_name_and_a_value() {
        let header: HeaderArgument = "X-API-Key:  a:b ".parse().unwrap();
        assert_eq!((header.name.as_str(), header.value.reveal()), ("x-api-key", "a:b"));
        assert!(header.is_secret());
        assert_eq!(format!("{header:?}"), "x-api-key: ***");
        for text in ["", "Authorization", ": x", "a b: c", "a: b\r\nc: d"] {
            assert!(text.parse::<HeaderArgument>().is_err(), "{text:?}");
        }
    }
}
