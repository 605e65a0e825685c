//! One place that differs.

use std::fmt;

use serde_json::Value;
use steady_model::Place;

use super::Template;

/// Values kept of a place.
const MAX_VALUES: usize = 8;
/// The longest text kept of a value.
const MAX_TEXT: usize = 4_096;
/// Values quoted of a place.
const MAX_OBSERVED: usize = 3;
/// Characters quoted of a value.
const MAX_QUOTED: usize = 60;

/// In what way a place differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Values of one type that are not equal.
    Value,
    /// Values of different types.
    Type,
    /// There in some responses, not in others.
    Presence,
    /// A list with the same items in another order.
    Order,
    /// A list with other items or another number of them.
    Items,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Value => "value",
            Self::Type => "type",
            Self::Presence => "presence",
            Self::Order => "order",
            Self::Items => "items",
        })
    }
}

/// A place that is not the same in every response.
#[derive(Debug, Clone, PartialEq)]
pub struct Variation {
    /// Where.
    pub place: Place,
    /// In what way.
    pub kind: Kind,
    /// The different values in the order first seen, shortened for people.
    pub observed: Vec<String>,
    /// The different values in the order first seen; the first few, long texts cut.
    pub values: Vec<Value>,
    /// What texts have in common, where that is worth asserting.
    pub template: Option<Template>,
}

impl Variation {
    /// A variation with the values seen; equal ones are kept once.
    pub fn new(place: Place, kind: Kind, seen: impl IntoIterator<Item = Value>) -> Self {
        let mut values: Vec<Value> = Vec::new();
        for value in seen {
            let value = cut(value);
            if values.len() < MAX_VALUES && !values.contains(&value) {
                values.push(value);
            }
        }
        let observed = values.iter().take(MAX_OBSERVED).map(quote).collect();
        Self { place, kind, observed, values, template: None }
    }

    /// A variation of texts, with what they have in common.
    pub(super) fn text(place: Place, texts: &[&str], seen: impl IntoIterator<Item = Value>) -> Self {
        Self { template: Template::of(texts), ..Self::new(place, Kind::Value, seen) }
    }
}

fn cut(value: Value) -> Value {
    match value {
        Value::String(mut text) => {
            text.truncate(text.floor_char_boundary(MAX_TEXT));
            Value::String(text)
        }
        other => other,
    }
}

fn quote(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut clipped: String = text.chars().take(MAX_QUOTED).collect();
    if clipped.len() < text.len() {
        clipped.push('…');
    }
    clipped
}
