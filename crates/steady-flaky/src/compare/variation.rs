//! One place that differs.

use std::borrow::Cow;
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
/// Bytes that values may begin with alike and still be quoted from their beginning.
const MAX_ALIKE: usize = 48;

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
        let observed = quoted(&values[..values.len().min(MAX_OBSERVED)]);
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

/// The values for people; texts that begin alike for most of a quote are quoted from the word that differs.
fn quoted(values: &[Value]) -> Vec<String> {
    let texts: Vec<Cow<'_, str>> = values.iter().map(written).collect();
    let alike = texts.iter().map(|text| shared(&texts[0], text)).min().unwrap_or_default();
    let start = if texts.len() > 1 && alike >= MAX_ALIKE { word_at(&texts[0], alike) } else { 0 };
    texts.iter().map(|text| quote(text, start)).collect()
}

fn written(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        other => Cow::Owned(other.to_string()),
    }
}

/// The bytes that two texts begin with alike.
fn shared(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count()
}

/// Where the word at or before a position begins. A token is one word: the middle of one is never reported.
fn word_at(text: &str, position: usize) -> usize {
    text[..text.floor_char_boundary(position)].rfind(' ').map_or(0, |space| space + 1)
}

fn quote(text: &str, start: usize) -> String {
    let (before, rest) = if start == 0 { ("", text) } else { ("…", &text[start..]) };
    let mut clipped: String = before.chars().chain(rest.chars().take(MAX_QUOTED)).collect();
    if clipped.len() - before.len() < rest.len() {
        clipped.push('…');
    }
    clipped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed(values: [&str; 2]) -> Vec<String> {
        Variation::new(Place::Status, Kind::Value, values.map(Value::from)).observed
    }

    #[test]
    fn values_are_quoted_from_their_beginning() {
        let long = "a".repeat(80);
        assert_eq!(observed(["seven", &long]), ["seven".to_owned(), format!("{}…", &long[..60])]);
    }

    #[test]
    fn long_texts_that_begin_alike_are_quoted_where_they_differ() {
        let start = "Could not read the document: cannot construct an instance of the class at";
        let texts = [format!("{start} Cart@1b6d3586"), format!("{start} Cart@7852e922")];
        assert_eq!(observed([&texts[0], &texts[1]]), ["…Cart@1b6d3586", "…Cart@7852e922"]);
    }

    #[test]
    fn a_token_is_never_quoted_from_its_middle() {
        let header = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEifQ".repeat(2);
        let quoted = observed([&format!("{header}.one"), &format!("{header}.two")]);
        assert!(quoted.iter().all(|quote| quote.starts_with("eyJ") && quote.ends_with('…')), "{quoted:?}");
    }
}
