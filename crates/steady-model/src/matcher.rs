//! What a test says about a place in a response, from exact to barely.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Place;

/// One assertion of a test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assertion {
    /// The place it speaks of.
    #[serde(rename = "where")]
    pub place: Place,
    /// What must hold there.
    #[serde(rename = "is")]
    pub matcher: Matcher,
    /// Why it is not stronger; emitted as a comment beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Assertion {
    /// An assertion without a note.
    pub fn new(place: Place, matcher: Matcher) -> Self {
        Self { place, matcher, note: None }
    }
}

/// What must hold at a place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matcher {
    /// Equal to this value; numbers by value, so `1` equals `1.0`.
    Equals(Value),
    /// Equal to the test's variable of this name.
    Variable(String),
    /// The content type, its parameters aside.
    MediaType(String),
    /// An array of this length.
    Size(usize),
    /// A value of this type.
    Type(JsonType),
    /// There at all.
    Present,
    /// Not there; at the body's root: no body.
    Absent,
}

impl Matcher {
    /// Whether nothing stronger could be said.
    pub fn is_exact(&self) -> bool {
        !matches!(self, Self::Type(_) | Self::Present)
    }
}

/// The types of JSON, with integers apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the types")]
pub enum JsonType {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl JsonType {
    /// The type of a value; `1.0` is an integer, as in JSON Schema.
    pub fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(number) if number.is_f64() => match number.as_f64() {
                Some(float) if float.fract() == 0.0 => Self::Integer,
                _ => Self::Number,
            },
            Value::Number(_) => Self::Integer,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }

    /// Whether a value is of this type; every integer is a number.
    pub fn admits(self, value: &Value) -> bool {
        let actual = Self::of(value);
        actual == self || (self == Self::Number && actual == Self::Integer)
    }
}

impl fmt::Display for JsonType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        })
    }
}
