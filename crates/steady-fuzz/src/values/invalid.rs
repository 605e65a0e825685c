//! Ways to spoil a valid value, each breaking one promise of the schema.

use serde_json::{Map, Value, json};

use super::allowance::{MAX_LIST, MAX_TEXT};
use super::change::{Change, escape};
use super::compile::Shapes;
use super::shape::{Kind, Numeric, Property, Shape, StringShape};

/// How deep a body is searched for something to spoil.
const MAX_DEPTH: usize = 5;
/// The most properties of an object that are looked at.
const MAX_PROPERTIES: usize = 200;
/// The most ways that are collected: one of them is made.
const MAX_CHANGES: usize = 200;
/// The longest text that is sent to exceed a maximum; a longer one is refused for its size alone.
const MAX_OVERLONG: usize = 100_000;

/// The ways to break one promise of the shape somewhere in `value`.
pub fn violations(value: &Value, shape: &Shape, shapes: &Shapes) -> Vec<Change> {
    let mut violations = Violations { shapes, changes: Vec::new() };
    violations.collect(value, shape, "", 0);
    violations.changes
}

/// The ways found so far.
struct Violations<'a> {
    shapes: &'a Shapes,
    changes: Vec<Change>,
}

impl Violations<'_> {
    fn collect(&mut self, value: &Value, shape: &Shape, pointer: &str, depth: usize) {
        if depth > MAX_DEPTH || self.changes.len() > MAX_CHANGES {
            return;
        }
        match &shape.kind {
            Kind::Any | Kind::Never => {}
            Kind::Reference(name) => {
                let shapes = self.shapes;
                self.collect(value, &shapes.named(name), pointer, depth + 1);
            }
            Kind::Union(branches) => self.union(value, branches, pointer, depth),
            Kind::Null => self.replace(pointer, "wrong type", json!("not null")),
            Kind::Boolean => {
                self.replace(pointer, "wrong type", json!("maybe"));
                self.replace(pointer, "null", Value::Null);
                self.replace(pointer, "empty text", json!(""));
            }
            Kind::Integer(limits) => self.number(limits, true, pointer),
            Kind::Number(limits) => self.number(limits, false, pointer),
            Kind::String(limits) => self.text(limits, pointer),
            Kind::Enumeration(_) => {
                self.replace(pointer, "outside the enumeration", json!("no-such-value"));
                self.replace(pointer, "empty text", json!(""));
            }
            Kind::Array { items, min, max, .. } => self.list(value, items, (*min, *max), pointer, depth),
            Kind::Object { properties, additional, .. } => {
                self.object(value, properties, additional.is_none(), pointer, depth);
            }
        }
    }

    fn replace(&mut self, pointer: &str, what: &'static str, with: Value) {
        self.changes.push(Change::replace(pointer, what, with));
    }

    fn union(&mut self, value: &Value, branches: &[Shape], pointer: &str, depth: usize) {
        let is_structured = |branch: &Shape| {
            matches!(branch.kind, Kind::Object { .. } | Kind::Reference(_) | Kind::Any | Kind::Array { .. })
        };
        // A wrong type for all branches at once; single branches would too often satisfy another.
        if !branches.iter().any(is_structured) {
            self.replace(pointer, "wrong type", json!([{"steady": true}]));
        } else if let Some(branch) = branches.iter().find(|branch| fits(value, branch)) {
            self.collect(value, branch, pointer, depth + 1);
        }
    }

    fn number(&mut self, limits: &Numeric, whole: bool, pointer: &str) {
        self.replace(pointer, "wrong type", json!("not a number"));
        self.replace(pointer, "null", Value::Null);
        self.replace(pointer, "empty text", json!(""));
        if whole {
            self.replace(pointer, "not an integer", json!(1.5));
        }
        if let Some(min) = limits.min {
            self.replace(pointer, "below minimum", number(min - 1.0));
            self.replace(pointer, "far below minimum", number(min.min(0.0) - 1_000_000.0));
        }
        if let Some(max) = limits.max {
            self.replace(pointer, "above maximum", number(max + 1.0));
        }
    }

    fn text(&mut self, limits: &StringShape, pointer: &str) {
        self.replace(pointer, "wrong type", json!({"not": "text"}));
        self.replace(pointer, "null", Value::Null);
        if limits.pattern.is_some() {
            self.replace(pointer, "outside the pattern", json!("\u{7f} ¿?"));
            self.replace(pointer, "outside the pattern", json!("~steady~"));
            if limits.min == 0 {
                self.replace(pointer, "empty text", json!(""));
            }
        }
        if let Some(format) = limits.format {
            self.replace(pointer, "outside the format", json!(format.broken()));
        }
        if limits.min > 0 {
            self.changes.push(Change::text(pointer, "too short", (limits.min - 1).min(MAX_TEXT)));
        }
        if let Some(max) = limits.max.filter(|max| *max < MAX_OVERLONG) {
            self.changes.push(Change::text(pointer, "too long", max + 1));
        }
    }

    fn list(
        &mut self,
        value: &Value,
        items: &Shape,
        (min, max): (usize, Option<usize>),
        pointer: &str,
        depth: usize,
    ) {
        self.replace(pointer, "wrong type", json!("not a list"));
        self.replace(pointer, "null", Value::Null);
        if min > 0 {
            self.replace(pointer, "too few items", json!([]));
        }
        let Some(first) = value.as_array().and_then(|list| list.first()) else { return };
        if let Some(max) = max.filter(|max| *max < MAX_LIST) {
            self.changes.extend(Change::repeat(pointer, "too many items", first, max + 1));
        }
        self.collect(first, items, &format!("{pointer}/0"), depth + 1);
    }

    fn object(&mut self, value: &Value, properties: &[Property], closed: bool, pointer: &str, depth: usize) {
        self.replace(pointer, "wrong type", json!("not an object"));
        self.replace(pointer, "null", Value::Null);
        let Value::Object(object) = value else { return };
        if closed {
            self.replace(pointer, "unknown property", with_unknown(object));
        }
        for property in properties.iter().take(MAX_PROPERTIES) {
            let Some(inner) = object.get(&property.name) else { continue };
            let place = format!("{pointer}/{}", escape(&property.name));
            if property.required {
                self.changes.push(Change::remove(&place, "missing required property"));
            }
            self.collect(inner, &property.shape, &place, depth + 1);
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
