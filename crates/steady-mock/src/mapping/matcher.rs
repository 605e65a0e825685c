//! What a value of a request has to be.

use bytes::Bytes;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{JsonPathExpression, Pattern, text};

/// What a value has to be; in JSON an object with one criterion, such as `{"equalTo": "a"}`.
#[derive(Debug, Clone, PartialEq)]
pub enum Matcher {
    /// `anything`: every value, and none.
    Anything,
    /// `equalTo`, with `caseInsensitive`.
    EqualTo {
        /// The value.
        value: String,
        /// Whether upper and lower case count as the same.
        case_insensitive: bool,
    },
    /// `binaryEqualTo`: these bytes, in base64.
    BinaryEqualTo(Bytes),
    /// `contains`.
    Contains(String),
    /// `doesNotContain`.
    DoesNotContain(String),
    /// `matches`.
    Matches(Pattern),
    /// `doesNotMatch`.
    DoesNotMatch(Pattern),
    /// `absent`: there is no value.
    Absent,
    /// `equalToJson`, with `ignoreArrayOrder` and `ignoreExtraElements`.
    EqualToJson {
        /// The value.
        value: Value,
        /// Whether it was written as a text, and is again.
        as_text: bool,
        /// Whether arrays are compared as bags.
        ignore_array_order: bool,
        /// Whether a request may have more properties and items.
        ignore_extra_elements: bool,
    },
    /// `matchesJsonPath`: the expression finds something, and it is what the inner matcher says.
    MatchesJsonPath {
        /// The expression.
        expression: JsonPathExpression,
        /// What the found value has to be.
        inner: Option<Box<Matcher>>,
    },
    /// `and`.
    And(Vec<Matcher>),
    /// `or`.
    Or(Vec<Matcher>),
    /// `not`.
    Not(Box<Matcher>),
    /// `hasExactly`: each of several values is matched by one of these, and none is left over.
    HasExactly(Vec<Matcher>),
    /// `includes`: each of these matches one of several values.
    Includes(Vec<Matcher>),
}

impl Matcher {
    /// Exactly this text.
    pub fn equal_to(value: impl Into<String>) -> Self {
        Self::EqualTo { value: value.into(), case_insensitive: false }
    }

    /// Exactly this JSON.
    pub fn equal_to_json(value: Value) -> Self {
        Self::EqualToJson { value, as_text: false, ignore_array_order: false, ignore_extra_elements: false }
    }
}

/// The criteria as they are written; one of them, and what goes with it.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct Criteria {
    #[serde(skip_serializing_if = "Option::is_none")]
    expression: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    anything: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "text::optional")]
    equal_to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    case_insensitive: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    binary_equal_to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "text::optional")]
    contains: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "text::optional")]
    does_not_contain: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "text::optional")]
    matches: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "text::optional")]
    does_not_match: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    absent: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    equal_to_json: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ignore_array_order: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ignore_extra_elements: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches_json_path: Option<JsonPathCriteria>,
    #[serde(skip_serializing_if = "Option::is_none")]
    and: Option<Vec<Matcher>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    or: Option<Vec<Matcher>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not: Option<Box<Matcher>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    has_exactly: Option<Vec<Matcher>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    includes: Option<Vec<Matcher>>,
}

/// `matchesJsonPath` is an expression, or an object with one and a criterion.
enum JsonPathCriteria {
    Expression(String),
    Criteria(Box<Criteria>),
}

impl Criteria {
    /// Turns the criteria into a matcher; the first text in backticks of a message is the offending one.
    fn into_matcher(self) -> Result<Option<Matcher>, String> {
        let mut found: Vec<(&str, Matcher)> = Vec::new();
        let insensitive = self.case_insensitive.unwrap_or(false);
        if self.anything.is_some() {
            found.push(("anything", Matcher::Anything));
        }
        if let Some(value) = self.equal_to {
            found.push(("equalTo", Matcher::EqualTo { value, case_insensitive: insensitive }));
        }
        if let Some(text) = self.binary_equal_to {
            let bytes = super::response::decoded(&text)?;
            found.push(("binaryEqualTo", Matcher::BinaryEqualTo(bytes)));
        }
        found.extend(self.contains.map(|text| ("contains", Matcher::Contains(text))));
        found.extend(self.does_not_contain.map(|text| ("doesNotContain", Matcher::DoesNotContain(text))));
        if let Some(text) = self.matches {
            found.push(("matches", Matcher::Matches(parsed(&text)?)));
        }
        if let Some(text) = self.does_not_match {
            found.push(("doesNotMatch", Matcher::DoesNotMatch(parsed(&text)?)));
        }
        if self.absent.is_some() {
            found.push(("absent", Matcher::Absent));
        }
        if let Some(value) = self.equal_to_json {
            let as_text = value.is_string();
            let value = match value {
                Value::String(text) => serde_json::from_str(&text)
                    .map_err(|error| format!("`{text}` in `equalToJson` is not JSON: {error}"))?,
                other => other,
            };
            let matcher = Matcher::EqualToJson {
                value,
                as_text,
                ignore_array_order: self.ignore_array_order.unwrap_or(false),
                ignore_extra_elements: self.ignore_extra_elements.unwrap_or(false),
            };
            found.push(("equalToJson", matcher));
        }
        if let Some(criteria) = self.matches_json_path {
            found.push(("matchesJsonPath", criteria.into_matcher()?));
        }
        found.extend(self.and.map(|all| ("and", Matcher::And(all))));
        found.extend(self.or.map(|any| ("or", Matcher::Or(any))));
        found.extend(self.not.map(|inner| ("not", Matcher::Not(inner))));
        found.extend(self.has_exactly.map(|all| ("hasExactly", Matcher::HasExactly(all))));
        found.extend(self.includes.map(|all| ("includes", Matcher::Includes(all))));
        match found.len() {
            0 => Ok(None),
            1 => Ok(found.pop().map(|(_, matcher)| matcher)),
            _ => Err(format!(
                "`{}` and `{}` in one matcher; use `and` to require both",
                found[1].0, found[0].0
            )),
        }
    }

    fn of(matcher: &Matcher) -> Self {
        let mut written = Self::default();
        match matcher.clone() {
            Matcher::Anything => written.anything = Some("(always)".into()),
            Matcher::EqualTo { value, case_insensitive } => {
                written.equal_to = Some(value);
                written.case_insensitive = case_insensitive.then_some(true);
            }
            Matcher::BinaryEqualTo(bytes) => {
                written.binary_equal_to = Some(super::response::encoded(&bytes));
            }
            Matcher::Contains(text) => written.contains = Some(text),
            Matcher::DoesNotContain(text) => written.does_not_contain = Some(text),
            Matcher::Matches(pattern) => written.matches = Some(pattern.source().to_owned()),
            Matcher::DoesNotMatch(pattern) => written.does_not_match = Some(pattern.source().to_owned()),
            Matcher::Absent => written.absent = Some(true.into()),
            Matcher::EqualToJson { value, as_text, ignore_array_order, ignore_extra_elements } => {
                written.equal_to_json = Some(if as_text { as_written(&value).into() } else { value });
                written.ignore_array_order = ignore_array_order.then_some(true);
                written.ignore_extra_elements = ignore_extra_elements.then_some(true);
            }
            Matcher::MatchesJsonPath { expression, inner } => {
                let source = expression.source().to_owned();
                written.matches_json_path = Some(match inner {
                    None => JsonPathCriteria::Expression(source),
                    Some(inner) => {
                        let inner = Self { expression: Some(source), ..Self::of(&inner) };
                        JsonPathCriteria::Criteria(Box::new(inner))
                    }
                });
            }
            Matcher::And(all) => written.and = Some(all),
            Matcher::Or(any) => written.or = Some(any),
            Matcher::Not(inner) => written.not = Some(inner),
            Matcher::HasExactly(all) => written.has_exactly = Some(all),
            Matcher::Includes(all) => written.includes = Some(all),
        }
        written
    }
}

/// A text of JSON, spaced as people write it.
fn as_written(value: &Value) -> String {
    value.to_string().replace("\":", "\": ")
}

impl JsonPathCriteria {
    fn into_matcher(self) -> Result<Matcher, String> {
        let (source, inner) = match self {
            Self::Expression(source) => (source, None),
            Self::Criteria(mut criteria) => {
                let source = criteria.expression.take();
                let source = source.ok_or("`matchesJsonPath` has no `expression`")?;
                (source, criteria.into_matcher()?.map(Box::new))
            }
        };
        let expression = source.parse().map_err(|error: super::ParseJsonPathError| error.to_string())?;
        Ok(Matcher::MatchesJsonPath { expression, inner })
    }
}

fn parsed(text: &str) -> Result<Pattern, String> {
    text.parse().map_err(|error: super::ParsePatternError| error.to_string())
}

impl<'de> Deserialize<'de> for Matcher {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let criteria = Criteria::deserialize(deserializer)?;
        if criteria.expression.is_some() {
            return Err(de::Error::custom("`expression` belongs into `matchesJsonPath`"));
        }
        let matcher = criteria.into_matcher().map_err(de::Error::custom)?;
        matcher.ok_or_else(|| de::Error::custom("a matcher needs a criterion, such as `equalTo`"))
    }
}

impl Serialize for Matcher {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Criteria::of(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for JsonPathCriteria {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = JsonPathCriteria;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a JSONPath expression or an object with `expression`")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(JsonPathCriteria::Expression(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                let criteria = Criteria::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(JsonPathCriteria::Criteria(Box::new(criteria)))
            }
        }

        deserializer.deserialize_any(Either)
    }
}

impl Serialize for JsonPathCriteria {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Expression(text) => serializer.serialize_str(text),
            Self::Criteria(criteria) => criteria.serialize(serializer),
        }
    }
}
