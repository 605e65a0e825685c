//! What must hold at a place, with its variables resolved.

use serde_json::{Map, Number, Value};
use steady_model::{Assertion, JsonType, Matcher, Pattern, Range, Relation, TimeFormat};

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

/// The form of a volatile value.
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
    Pattern {
        /// Filled-in text is literal.
        regex: Template<'a>,
        what: &'a str,
    },
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
    pub(super) fn of(assertion: &'a Assertion, scope: &Scope<'a>) -> Result<Self, EmitError> {
        let filled = |mut json: Json<'a>| json.fill(&assertion.texts, scope).map(|()| json);
        Ok(match &assertion.matcher {
            Matcher::Equals(value) => Self::Equals(filled(Json::of(value))?),
            Matcher::Variable(name) => Self::Variable(scope.find(name)?),
            Matcher::Text(text) => Self::Text(Template::of(text, scope)?),
            Matcher::Relation(relation) => Self::Varying(Varying::Relation(relation)),
            Matcher::Unordered(items) => Self::Varying(Varying::Unordered(filled(array(items))?)),
            Matcher::Jwt(jwt) => {
                let token = vec![("header", object(&jwt.header)), ("claims", object(&jwt.claims))];
                let parts = match filled(Json::Object(token))? {
                    Json::Object(parts) => parts,
                    _ => vec![],
                };
                let mut parts = parts.into_iter().map(|(_, part)| part);
                let mut part = || parts.next().unwrap_or(Json::Object(vec![]));
                Self::Varying(Varying::Jwt { header: part(), claims: part() })
            }
            Matcher::Pattern(Pattern { regex, what }) => {
                Self::Varying(Varying::Pattern { regex: Template::of(regex, scope)?, what })
            }
            // The support files compare moments only, so the date format is asserted separately.
            Matcher::Recent(TimeFormat::Date) => Self::Present,
            Matcher::Recent(format) => Self::Varying(Varying::Recent(*format)),
            Matcher::OneOf(values) => Self::Varying(Varying::OneOf(filled(array(values))?)),
            Matcher::Range(range) => Self::of_range(range),
            Matcher::MediaType(media_type) => Self::MediaType(media_type),
            Matcher::Size(size) => Self::Size(*size),
            Matcher::Type(json_type) => Self::Type(*json_type),
            Matcher::Present => Self::Present,
            Matcher::Absent => Self::Absent,
            Matcher::Disabled => Self::Disabled,
        })
    }

    /// The templates of what it compares with.
    pub(crate) fn templates(&self) -> Vec<&Template<'a>> {
        match self {
            Self::Text(text) | Self::Varying(Varying::Pattern { regex: text, .. }) => vec![text],
            Self::Equals(json) | Self::Varying(Varying::Unordered(json) | Varying::OneOf(json)) => {
                json.templates()
            }
            Self::Varying(Varying::Jwt { header, claims }) => {
                [header, claims].into_iter().flat_map(Json::templates).collect()
            }
            _ => vec![],
        }
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
        TimeFormat::Date => "date",
        TimeFormat::Seconds => "seconds",
        TimeFormat::Milliseconds => "milliseconds",
        TimeFormat::Microseconds => "microseconds",
        TimeFormat::Nanoseconds => "nanoseconds",
    }
}
