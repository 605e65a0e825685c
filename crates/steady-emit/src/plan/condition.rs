//! What must hold at a place, with its variables resolved.

use serde_json::{Map, Number, Value};
use steady_model::{JsonType, Matcher, Pattern, Range, Relation, TimeFormat};

use super::scope::Scope;
use super::{EmitError, Json, Template, Variable};

/// What must hold at a place.
#[derive(Debug)]
pub(crate) enum Condition<'a> {
    Equals(Json<'a>),
    Variable(Variable),
    Text(Template<'a>),
    Varying(Varying<'a>),
    MediaType(&'a str),
    Size(usize),
    Type(JsonType),
    Present,
    Absent,
    /// Nothing any more; only the assertion's note is written.
    Disabled,
}

/// What a value that varies must look like.
#[derive(Debug)]
pub(crate) enum Varying<'a> {
    Relation(&'a Relation),
    /// An array, whose items may come in any order.
    Unordered(Json<'a>),
    /// A JSON web token whose header and claims have at least the fields of these objects.
    Jwt {
        header: Json<'a>,
        claims: Json<'a>,
    },
    Pattern(&'a Pattern),
    Recent(TimeFormat),
    /// An array of what is allowed.
    OneOf(Json<'a>),
    Range(Bounds<'a>),
}

/// What a number lies between; it may equal its bounds.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Bounds<'a> {
    AtLeast(&'a Number),
    AtMost(&'a Number),
    Between(&'a Number, &'a Number),
}

impl<'a> Condition<'a> {
    pub(super) fn of(matcher: &'a Matcher, scope: &Scope<'a>) -> Result<Self, EmitError> {
        Ok(match matcher {
            Matcher::Equals(value) => Self::Equals(Json::of(value)),
            Matcher::Variable(name) => Self::Variable(scope.find(name)?),
            Matcher::Text(text) => Self::Text(Template::of(text, scope)?),
            Matcher::Relation(relation) => Self::Varying(Varying::Relation(relation)),
            Matcher::Unordered(items) => Self::Varying(Varying::Unordered(array(items))),
            Matcher::Jwt(jwt) => {
                Self::Varying(Varying::Jwt { header: object(&jwt.header), claims: object(&jwt.claims) })
            }
            Matcher::Pattern(pattern) => Self::Varying(Varying::Pattern(pattern)),
            Matcher::Recent(format) => Self::Varying(Varying::Recent(*format)),
            Matcher::OneOf(values) => Self::Varying(Varying::OneOf(array(values))),
            Matcher::Range(range) => Self::of_range(range),
            Matcher::MediaType(media_type) => Self::MediaType(media_type),
            Matcher::Size(size) => Self::Size(*size),
            Matcher::Type(json_type) => Self::Type(*json_type),
            Matcher::Present => Self::Present,
            Matcher::Absent => Self::Absent,
            Matcher::Disabled => Self::Disabled,
        })
    }

    fn of_range(range: &'a Range) -> Self {
        let bounds = match (&range.min, &range.max) {
            (Some(min), Some(max)) => Bounds::Between(min, max),
            (Some(min), None) => Bounds::AtLeast(min),
            (None, Some(max)) => Bounds::AtMost(max),
            (None, None) => return Self::Type(JsonType::Number),
        };
        Self::Varying(Varying::Range(bounds))
    }
}

impl<'a> Bounds<'a> {
    /// The bounds there are, the least first.
    pub(crate) fn numbers(self) -> impl Iterator<Item = &'a Number> {
        let (first, second) = match self {
            Self::AtLeast(bound) | Self::AtMost(bound) => (bound, None),
            Self::Between(min, max) => (min, Some(max)),
        };
        std::iter::once(first).chain(second)
    }
}

fn array(items: &[Value]) -> Json<'_> {
    Json::Array(items.iter().map(Json::of).collect())
}

fn object(fields: &Map<String, Value>) -> Json<'_> {
    Json::Object(fields.iter().map(|(name, value)| (name.as_str(), Json::of(value))).collect())
}

/// What the support files call a format.
pub(crate) fn format_name(format: TimeFormat) -> &'static str {
    match format {
        TimeFormat::Rfc3339 => "rfc3339",
        TimeFormat::Http => "http",
        TimeFormat::Seconds => "seconds",
        TimeFormat::Milliseconds => "milliseconds",
        TimeFormat::Microseconds => "microseconds",
        TimeFormat::Nanoseconds => "nanoseconds",
    }
}
