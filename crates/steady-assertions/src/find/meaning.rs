//! What comparisons say of a response, as matchers.

use serde_json::Value;
use steady_model::{Assertion, Matcher, Pattern, Place};

use super::subject::{At, Subject};
use crate::assertion::leaves;
use crate::pointer;
use crate::syntax::{Expr, Kind};

/// What equality with a literal says of a subject.
pub(super) fn equality(subject: &Subject, literal: &Expr) -> Vec<Assertion> {
    match &subject.at {
        At::Value(place) => leaves(place, literal),
        At::Length(pointer) => size(pointer, literal),
        At::Each { list, path } => match &literal.kind {
            Kind::List(items) => {
                let mut found = vec![Assertion::new(Place::Body(list.clone()), Matcher::Size(items.len()))];
                for (index, item) in items.iter().enumerate() {
                    let place = Place::Body(format!("{}{path}", pointer::join(list, &index.to_string())));
                    found.extend(leaves(&place, item));
                }
                found
            }
            _ => Vec::new(),
        },
        At::Fields(pointer) if literal.constant() == Some(0.into()) => {
            let none = Value::Object(serde_json::Map::new());
            vec![Assertion::new(Place::Body(pointer.clone()), Matcher::Equals(none))]
        }
        At::Text if literal.text() == Some("") => {
            vec![Assertion::new(Place::Body(String::new()), Matcher::Absent)]
        }
        At::Text => {
            // The body's text is its root's value only when it is not JSON.
            let Some(text) = literal.text().filter(|text| serde_json::from_str::<Value>(text).is_err())
            else {
                return Vec::new();
            };
            vec![Assertion::new(Place::Body(String::new()), Matcher::Equals(text.into()))]
        }
        At::Response | At::Validation | At::Headers | At::Fields(_) => Vec::new(),
    }
}

/// What a length says of the array at a pointer.
pub(super) fn size(pointer: &str, literal: &Expr) -> Vec<Assertion> {
    let size =
        literal.constant().and_then(|value| value.as_u64()).and_then(|size| usize::try_from(size).ok());
    size.map(|size| Assertion::new(Place::Body(pointer.to_owned()), Matcher::Size(size)))
        .into_iter()
        .collect()
}

/// What it means that a text begins with this, or has this in it; a content type does when its media type is this.
pub(super) fn containing(place: &Place, text: &str, from_start: bool) -> Vec<Assertion> {
    let content_type = *place == Place::Header("content-type".to_owned());
    let matcher = if content_type {
        Matcher::MediaType(text.split(';').next().unwrap_or(text).trim().to_ascii_lowercase())
    } else {
        let before = if from_start { "" } else { r"[\s\S]*" };
        let what = if from_start {
            format!("text that begins with `{text}`")
        } else {
            format!("text with `{text}` in it")
        };
        Matcher::Pattern(Pattern::new(format!(r"{before}{}[\s\S]*", escape(text)), what))
    };
    vec![Assertion::new(place.clone(), matcher)]
}

/// Text as a pattern that matches nothing else.
pub(crate) fn escape(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for c in text.chars() {
        if r"\.+*?()|[]{}^$".contains(c) {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}
