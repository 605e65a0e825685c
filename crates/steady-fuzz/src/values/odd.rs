//! What code tends to trip over, whether the document allows it or not.

use serde_json::{Value, json};

use super::change::{Change, escape};
use super::compile::Shapes;
use super::shape::{Kind, Shape};

/// How deep a body is searched for places.
const MAX_DEPTH: usize = 3;
/// The most changes offered for one body.
const MAX_CHANGES: usize = 80;
/// The length of an unexpectedly long text.
const LONG: usize = 5_000;

/// Odd values for a parameter, by what it is called and what it should hold.
pub fn odd_parameters(name: &str, shape: &Shape, shapes: &Shapes) -> Vec<Change> {
    let change = |what: &'static str, with: Value| Change::replace("", what, with);
    match name.to_ascii_lowercase().as_str() {
        "if-match" | "if-none-match" | "if-range" => {
            return vec![
                change("an asterisk and more", json!("*steady")),
                change("an unfinished entity tag", json!("\"steady")),
                change("a bare number", json!("0")),
            ];
        }
        "if-modified-since" | "if-unmodified-since" => {
            return vec![
                change("no date", json!("steady")),
                change("an impossible date", json!("Thu, 99 Foo 2000 25:61:61 GMT")),
            ];
        }
        "range" => return vec![change("an impossible range", json!("bytes=9-1"))],
        _ => {}
    }
    let mut changes = vec![change("empty", json!(""))];
    match &shape.kind {
        Kind::Reference(name) => return odd_parameters("", &shapes.named(name), shapes),
        Kind::Integer(_) | Kind::Number(_) => {
            changes.push(change("negative", json!(-1)));
            changes.push(change("huge", json!(i64::MAX)));
            changes.push(change("beyond 64 bits", json!("99999999999999999999")));
        }
        Kind::Array { .. } => {
            changes.push(change("a list of nothing", json!([""])));
            changes.push(change("no list", json!("{")));
        }
        Kind::Object { .. } => {
            changes.push(change("an empty object", json!({})));
            changes.push(change("no object", json!("[")));
        }
        _ => {
            changes.push(change("a NUL", json!("\u{0}")));
            changes.push(change("an opened brace", json!("{")));
            changes.push(Change::text("", "very long", LONG));
        }
    }
    changes
}

/// Odd values for a parameter that is written as JSON: those for a body, and what trips over its own query language.
pub fn odd_queries(value: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    let places = value.as_object().into_iter().flatten().filter(|(_, inner)| inner.is_object());
    let inner = places.map(|(name, inner)| (format!("/{}", escape(name)), inner));
    for (pointer, object) in std::iter::once((String::new(), value)).chain(inner) {
        let Value::Object(fields) = object else { continue };
        let with = |name: &str, value: Value| {
            let mut fields = fields.clone();
            fields.insert(name.to_owned(), value);
            Value::Object(fields)
        };
        changes.push(Change::replace(
            &pointer,
            "a list of nulls inside",
            with("steady", json!([null, null])),
        ));
        changes.push(Change::replace(&pointer, "a choice of nothing", with("or", json!([null]))));
    }
    changes.extend(odd_bodies(value));
    changes
}

/// Odd values for a JSON body, one place at a time.
pub fn odd_bodies(value: &Value) -> Vec<Change> {
    let mut changes = vec![
        Change::replace("", "a list of nulls", json!([null, null])),
        Change::replace("", "an empty object", json!({})),
        Change::replace("", "a text", json!("steady")),
    ];
    collect(value, "", 0, &mut changes);
    changes
}

fn collect(value: &Value, pointer: &str, depth: usize, changes: &mut Vec<Change>) {
    if depth > MAX_DEPTH || changes.len() > MAX_CHANGES {
        return;
    }
    if depth > 0 {
        changes.push(Change::replace(pointer, "null", Value::Null));
    }
    match value {
        Value::String(_) => changes.push(Change::replace(pointer, "a NUL", json!("\u{0}"))),
        Value::Number(_) => {
            changes.push(Change::replace(pointer, "huge", json!(1e300)));
            changes.push(Change::replace(pointer, "negative", json!(-1)));
        }
        Value::Array(items) => {
            changes.push(Change::replace(pointer, "a list of nulls", json!([null, null])));
            if let Some(first) = items.first() {
                collect(first, &format!("{pointer}/0"), depth + 1, changes);
            }
        }
        Value::Object(fields) => {
            for (name, inner) in fields {
                collect(inner, &format!("{pointer}/{}", escape(name)), depth + 1, changes);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_of_a_body_is_null_once() {
        let body = json!({"name": "a", "stock": 1, "address": {"city": "b"}, "tags": ["c"]});
        let nulls: Vec<String> = odd_bodies(&body)
            .iter()
            .map(Change::alteration)
            .filter(|alteration| alteration.what == "null")
            .map(|alteration| alteration.pointer.clone())
            .collect();
        assert_eq!(nulls, ["/name", "/stock", "/address", "/address/city", "/tags", "/tags/0"]);
    }

    #[test]
    fn a_filter_gets_conditions_that_are_none_at_every_level() {
        let changes = odd_queries(&json!({"where": {}, "limit": 1}));
        let choices: Vec<&str> = changes
            .iter()
            .map(Change::alteration)
            .filter(|alteration| alteration.what == "a choice of nothing")
            .map(|alteration| alteration.pointer.as_str())
            .collect();
        assert_eq!(choices, ["", "/where"]);
    }

    #[test]
    fn conditional_headers_get_entity_tags_that_are_none() {
        let text = Shape::of(Kind::Any);
        let shapes = Shapes::new(std::sync::Arc::default());
        let whats: Vec<&str> = odd_parameters("If-None-Match", &text, &shapes)
            .iter()
            .map(|change| change.alteration().what)
            .collect();
        assert_eq!(whats, ["an asterisk and more", "an unfinished entity tag", "a bare number"]);
    }
}
