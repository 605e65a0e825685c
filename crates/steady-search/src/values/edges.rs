//! Valid values at the limits of what a schema allows, one place at a time.

use serde_json::{Value, json};

use super::change::{Change, escape};
use super::compile::Shapes;
use super::shape::{Kind, Numeric, Shape};

/// How deep a value is searched for limits.
const MAX_DEPTH: usize = 5;
/// The longest text made to meet a limit.
const MAX_TEXT: usize = 20_000;
/// The most listed values tried one by one.
const MAX_LISTED: usize = 20;
/// Texts that careless code trips over.
const ODD: [&str; 8] = ["it's", "*abc", "Ünïcödé 漢字 🦀", "  ", "-1", "null", "../..", "line\nbreak"];

/// The edges the document states in so many words: whoever refuses one of them contradicts it.
pub const PROMISED: [&str; 4] =
    ["at its stated minimum", "at its stated maximum", "a listed value", "optional and left out"];

/// The ways to put one place of `value` at its limit.
pub fn edges(value: &Value, shape: &Shape, shapes: &Shapes) -> Vec<Change> {
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
    changes: &mut Vec<Change>,
) {
    if depth > MAX_DEPTH || changes.len() > 200 {
        return;
    }
    let mut replace = |what: &'static str, with: Value| changes.push(Change::replace(pointer, what, with));
    match (&shape.kind, value) {
        (Kind::Reference(name), value) => {
            collect(value, &shapes.named(name), shapes, pointer, depth + 1, changes);
        }
        (Kind::Integer(limits), _) => {
            let (min, max) = (limits.min.unwrap_or(0.0).ceil(), limits.max.unwrap_or(0.0).floor());
            replace(least(limits), json!(min as i64 + i64::from(limits.exclusive_min)));
            replace(most(limits), json!(max as i64 - i64::from(limits.exclusive_max)));
            replace("zero", json!(0));
        }
        (Kind::Number(limits), _) => {
            limits.min.into_iter().for_each(|min| replace(least(limits), json!(min)));
            limits.max.into_iter().for_each(|max| replace(most(limits), json!(max)));
            replace("tiny", json!(1e-9));
        }
        (Kind::String(limits), _) => {
            if let Some(format) = limits.format {
                format.edges().iter().for_each(|edge| replace("at the edge of its format", json!(edge)));
            }
            ODD.iter().for_each(|odd| replace("odd", json!(odd)));
            let longest = limits.max.unwrap_or(2_000).min(MAX_TEXT);
            changes.push(Change::text(pointer, "as short as it may be", limits.min));
            changes.push(Change::text(pointer, "as long as it may be", longest));
        }
        (Kind::Enumeration(values), _) => {
            values.iter().take(MAX_LISTED).for_each(|listed| replace("a listed value", listed.clone()));
        }
        (Kind::Array { items, min, max, .. }, Value::Array(list)) => {
            if *min == 0 {
                replace("empty", json!([]));
            }
            if let (Some(max), Some(first)) = (max.filter(|max| *max <= 1000), list.first()) {
                replace("as long as it may be", Value::Array(vec![first.clone(); max]));
            }
            if let Some(first) = list.first() {
                collect(first, items, shapes, &format!("{pointer}/0"), depth + 1, changes);
            }
        }
        (Kind::Object { properties, .. }, Value::Object(fields)) => {
            for property in properties {
                if let Some(inner) = fields.get(&property.name) {
                    let place = format!("{pointer}/{}", escape(&property.name));
                    // An object with nothing in it says nothing, which is another matter.
                    if !property.required && fields.len() > 1 {
                        changes.push(Change::remove(&place, "optional and left out"));
                    }
                    collect(inner, &property.shape, shapes, &place, depth + 1, changes);
                }
            }
        }
        _ => {}
    }
}

fn least(limits: &Numeric) -> &'static str {
    if limits.states_min { "at its stated minimum" } else { "at its minimum" }
}

fn most(limits: &Numeric) -> &'static str {
    if limits.states_max { "at its stated maximum" } else { "at its maximum" }
}
