//! What a test says about a place in a response, from exact to barely.

use std::fmt;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

use crate::object::object;
use crate::{Place, Segment, Text};

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
    /// Texts within what [`Matcher::Equals`], [`Matcher::Unordered`], [`Matcher::OneOf`] and [`Matcher::Jwt`] expect that are only
    /// known when a test runs, by JSON pointer into that value; a sample stands there. A token's pointer begins with `/header`
    /// or `/claims`. Text that is expected whole is a [`Matcher::Text`].
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub texts: IndexMap<String, Text>,
    /// Why it is not stronger; emitted as a comment beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Assertion {
    /// An assertion without a note.
    pub fn new(place: Place, matcher: Matcher) -> Self {
        Self { place, matcher, texts: IndexMap::new(), note: None }
    }

    /// The same, with a note.
    #[must_use]
    pub fn noted(mut self, note: Option<String>) -> Self {
        self.note = note;
        self
    }

    /// The texts in it that may have to be filled in.
    pub fn templates(&self) -> impl Iterator<Item = &Text> {
        let own = match &self.matcher {
            Matcher::Text(text) => Some(text),
            Matcher::Pattern(pattern) => Some(&pattern.regex),
            _ => None,
        };
        self.texts.values().chain(own)
    }
}

/// What must hold at a place. The order is that in which the forms are tried on a volatile value: the strongest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matcher {
    /// Equal to this value; numbers by value, so `1` equals `1.0`.
    Equals(Value),
    /// Equal to the test's variable of this name.
    Variable(String),
    /// Equal to this text, once what is only known when the test runs is filled in.
    Text(Text),
    /// What other places of the same response make it.
    Relation(Relation),
    /// An array of these items, in any order.
    Unordered(Vec<Value>),
    /// A JSON web token with these parts.
    Jwt(#[serde(deserialize_with = "object")] Jwt),
    /// Text that a pattern describes whole.
    Pattern(Pattern),
    /// A time near the one the response was given at.
    Recent(TimeFormat),
    /// One of these values.
    OneOf(Vec<Value>),
    /// A number between these.
    Range(#[serde(deserialize_with = "object")] Range),
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
    /// Not asserted any more; the note says what was seen.
    Disabled,
}

impl Matcher {
    /// Whether nothing stronger could be said.
    pub fn is_exact(&self) -> bool {
        matches!(
            self,
            Self::Equals(_)
                | Self::Variable(_)
                | Self::Text(_)
                | Self::MediaType(_)
                | Self::Size(_)
                | Self::Absent
        )
    }

    /// Its name in findings; types by their own.
    pub fn name(&self) -> MatcherName {
        match self {
            Self::Equals(_) => MatcherName::Equals,
            Self::Variable(_) => MatcherName::Variable,
            Self::Text(_) => MatcherName::Text,
            Self::Relation(_) => MatcherName::Relation,
            Self::Unordered(_) => MatcherName::Unordered,
            Self::Jwt(_) => MatcherName::Jwt,
            Self::Pattern(_) => MatcherName::Pattern,
            Self::Recent(_) => MatcherName::Recent,
            Self::OneOf(_) => MatcherName::OneOf,
            Self::Range(_) => MatcherName::Range,
            Self::MediaType(_) => MatcherName::MediaType,
            Self::Size(_) => MatcherName::Size,
            Self::Type(JsonType::Null) => MatcherName::Null,
            Self::Type(JsonType::Boolean) => MatcherName::Boolean,
            Self::Type(JsonType::Integer) => MatcherName::Integer,
            Self::Type(JsonType::Number) => MatcherName::Number,
            Self::Type(JsonType::String) => MatcherName::String,
            Self::Type(JsonType::Array) => MatcherName::Array,
            Self::Type(JsonType::Object) => MatcherName::Object,
            Self::Present => MatcherName::Present,
            Self::Absent => MatcherName::Absent,
            Self::Disabled => MatcherName::Disabled,
        }
    }
}

/// The name of a matcher: a [`Matcher`] without what it expects, its types by their own names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are those of the matcher and of JSON's types")]
pub enum MatcherName {
    Equals,
    Variable,
    Text,
    Relation,
    Unordered,
    Jwt,
    Pattern,
    Recent,
    OneOf,
    Range,
    MediaType,
    Size,
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
    Present,
    Absent,
    Disabled,
}

impl fmt::Display for MatcherName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// What other places of the same response make a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// Equal to the value there.
    Same(Place),
    /// The sum of the numbers there, but for rounding.
    Sum(Vec<Place>),
    /// The product of the numbers there, but for rounding.
    Product(Vec<Place>),
    /// How many items the array there has.
    Count(Place),
}

impl Relation {
    /// By how much of its size a sum or product may miss: as much as floating-point arithmetic loses.
    pub const ROUNDING: f64 = 1e-9;

    /// The places it speaks of.
    pub fn places(&self) -> &[Place] {
        match self {
            Self::Same(place) | Self::Count(place) => std::slice::from_ref(place),
            Self::Sum(places) | Self::Product(places) => places,
        }
    }
}

/// A JSON web token (RFC 7519): three parts in base64url, the first two of which are JSON objects.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Jwt {
    /// Fields its header has.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub header: Map<String, Value>,
    /// Claims it makes.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub claims: Map<String, Value>,
}

/// What text must look like, from its first to its last character.
///
/// The expression is read the same by the regular expressions of Rust, Python, JavaScript, Java and Kotlin: literals, classes of
/// ASCII characters, `[\s\S]`, groups that do not capture, alternatives and repetitions; no `\d`, `.`, look-around or anchors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// The regular expression, without anchors. Its literal segments are the expression; the others stand for their values, each
    /// character meaning itself.
    pub regex: Text,
    /// What it describes, in a few words: `UUID version 4`.
    pub what: String,
}

impl Pattern {
    /// A pattern that is the same in every run.
    pub fn new(regex: impl Into<Text>, what: impl Into<String>) -> Self {
        Self { regex: regex.into(), what: what.into() }
    }

    /// The regular expression with anything where it has a value that is only known when a test runs.
    pub fn open(&self) -> String {
        let open = |segment: &Segment| match segment {
            Segment::Literal(regex) => regex.clone(),
            Segment::Variable { .. } | Segment::Environment { .. } | Segment::Base { .. } => {
                r"[\s\S]*".to_owned()
            }
        };
        self.regex.segments().iter().map(open).collect()
    }
}

/// How a moment is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeFormat {
    /// RFC 3339, with its offset.
    Rfc3339,
    /// The date format of HTTP (RFC 9110 section 5.6.7).
    Http,
    /// A calendar date of ISO 8601, in whatever zone: `2026-03-10`.
    Date,
    /// Seconds since 1970, as a number or digits; fractions allowed.
    Seconds,
    /// Milliseconds since 1970.
    Milliseconds,
    /// Microseconds since 1970.
    Microseconds,
    /// Nanoseconds since 1970.
    Nanoseconds,
}

impl TimeFormat {
    /// How many seconds a recent time may be away from the response's `Date`, or from now when it has none.
    pub const RECENT: u32 = 3600;
    /// How many seconds the first moment of a recent date in UTC may be away: it is today's, yesterday's or tomorrow's somewhere.
    pub const RECENT_DATE: u32 = 38 * 3600;

    /// How far away a recent time of this format may be, in seconds.
    pub fn reach(self) -> u32 {
        if self == Self::Date { Self::RECENT_DATE } else { Self::RECENT }
    }
}

/// A number between two others, which it may equal.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// The least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<Number>,
    /// The most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<Number>,
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
