//! Where in a response something is: `status`, `header:<name>` or `body:<JSON pointer>`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A place in a response. The body's root is `body:`; a text body is one value at the root.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub enum Place {
    /// The status code.
    Status,
    /// A header, by its lower-case name.
    Header(String),
    /// A value in the body, by JSON pointer (RFC 6901).
    Body(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status => f.write_str("status"),
            Self::Header(name) => write!(f, "header:{name}"),
            Self::Body(pointer) => write!(f, "body:{pointer}"),
        }
    }
}

/// The text does not name a place in a response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a place in a response; expected `status`, `header:<name>` or `body:<JSON pointer>`")]
pub struct ParsePlaceError(String);

impl FromStr for Place {
    type Err = ParsePlaceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "status" {
            Ok(Self::Status)
        } else if let Some(name) = text.strip_prefix("header:") {
            Ok(Self::Header(name.to_ascii_lowercase()))
        } else if let Some(pointer) = text.strip_prefix("body:")
            && (pointer.is_empty() || pointer.starts_with('/'))
        {
            Ok(Self::Body(pointer.to_owned()))
        } else {
            Err(ParsePlaceError(text.to_owned()))
        }
    }
}

impl TryFrom<String> for Place {
    type Error = ParsePlaceError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Place> for String {
    fn from(place: Place) -> Self {
        place.to_string()
    }
}
