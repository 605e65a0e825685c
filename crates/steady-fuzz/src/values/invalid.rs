//! Ways to spoil a valid value, each breaking one promise of the schema.

use serde_json::{Map, Value, json};

use super::allowance::{MAX_LIST, MAX_TEXT};
use super::change::{Change, escape};
use super::compile::Shapes;
use super::shape::{Kind, Shape};

/// How deep a body is searched for something to spoil.
const MAX_DEPTH: usize = 5;
/// The most properties of an object that are looked at.
const MAX_PROPERTIES: usize = 200;

/// The ways to break one promise of the shape somewhere in `value`.
pub fn violations(value: &Value, shape: &Shape, shapes: &Shapes) -> Vec<Change> {
    let mut changes = Vec::new();
    collect(value, shape, shapes, "", 0, &mut changes);
    changes
}

fn collect(
    value: &Value,
    shape: &Shape,
    shapes: &Shapes,
    pointer: &str,
    depth: usize,
    options: &mut Vec<Change>,
) {
    if depth > MAX_DEPTH || options.len() > 200 {
        return;
    }
    let mut replace = |what: &'static str, with: Value| options.push(Change::replace(pointer, what, with));
    match &shape.kind {
        Kind::Any | Kind::Never => {}
        Kind::Reference(name) => collect(value, &shapes.named(name), shapes, pointer, depth + 1, options),
        Kind::Union(branches) => {
            // A wrong type for all branches at once; single branches would too often satisfy another.
            if !branches.iter().any(|branch| {
                matches!(
                    branch.kind,
                    Kind::Object { .. } | Kind::Reference(_) | Kind::Any | Kind::Array { .. }
                )
            }) {
                replace("wrong type", json!([{"steady": true}]));
            } else if let Some(branch) = branches.iter().find(|branch| fits(value, branch)) {
                collect(value, branch, shapes, pointer, depth + 1, options);
            }
        }
        Kind::Null => replace("wrong type", json!("not null")),
        Kind::Boolean => {
            replace("wrong type", json!("maybe"));
            replace("null", Value::Null);
            replace("empty text", json!(""));
        }
        Kind::Integer(limits) | Kind::Number(limits) => {
            replace("wrong type", json!("not a number"));
            replace("null", Value::Null);
            replace("empty text", json!(""));
            if matches!(shape.kind, Kind::Integer(_)) {
                replace("not an integer", json!(1.5));
            }
            if let Some(min) = limits.min {
                replace("below minimum", number(min - 1.0));
                replace("far below minimum", number(min.min(0.0) - 1_000_000.0));
            }
            if let Some(max) = limits.max {
                replace("above maximum", number(max + 1.0));
            }
        }
        Kind::String(limits) => {
            replace("wrong type", json!({"not": "text"}));
            replace("null", Value::Null);
            if limits.pattern.is_some() {
                replace("outside the pattern", json!("\u{7f} ¿?"));
                replace("outside the pattern", json!("~steady~"));
                if limits.min == 0 {
                    replace("empty text", json!(""));
                }
            }
            if let Some(format) = limits.format {
                replace("outside the format", json!(format.broken()));
            }
            if limits.min > 0 {
                options.push(Change::text(pointer, "too short", (limits.min - 1).min(MAX_TEXT)));
            }
            if let Some(max) = limits.max.filter(|max| *max < 100_000) {
                options.push(Change::text(pointer, "too long", max + 1));
            }
        }
        Kind::Enumeration(_) => {
            replace("outside the enumeration", json!("no-such-value"));
            replace("empty text", json!(""));
        }
        Kind::Array { items, min, max, .. } => {
            replace("wrong type", json!("not a list"));
            replace("null", Value::Null);
            let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
            if *min > 0 {
                replace("too few items", json!([]));
            }
            if let (Some(max), Some(first)) = (max.filter(|max| *max < MAX_LIST), list.first()) {
                options.extend(Change::repeat(pointer, "too many items", first, max + 1));
            }
            if let Some(first) = list.first() {
                collect(first, items, shapes, &format!("{pointer}/0"), depth + 1, options);
            }
        }
        Kind::Object { properties, additional, .. } => {
            replace("wrong type", json!("not an object"));
            replace("null", Value::Null);
            let Value::Object(object) = value else { return };
            if additional.is_none() {
                replace("unknown property", with_unknown(object));
            }
            for property in properties.iter().take(MAX_PROPERTIES) {
                let Some(inner) = object.get(&property.name) else { continue };
                let place = format!("{pointer}/{}", escape(&property.name));
                if property.required {
                    options.push(Change::remove(&place, "missing required property"));
                }
                collect(inner, &property.shape, shapes, &place, depth + 1, options);
            }
        }
    }
}

/// A number as a person writes it: whole where it is whole.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9e15 { json!(value as i64) } else { json!(value) }
}

fn with_unknown(object: &Map<String, Value>) -> Value {
    let mut spoilt = object.clone();
    spoilt.insert("steadyUnknownProperty".to_owned(), json!(1));
    Value::Object(spoilt)
}

fn fits(value: &Value, shape: &Shape) -> bool {
    matches!(
        (&shape.kind, value),
        (Kind::Object { .. }, Value::Object(_))
            | (Kind::Array { .. }, Value::Array(_))
            | (Kind::String(_), Value::String(_))
    )
}
