//! Valid values at the limits of what a schema allows, one place at a time.

use serde_json::{Value, json};

use super::allowance::{MAX_LIST, MAX_TEXT};
use super::change::{Change, escape};
use super::compile::Shapes;
use super::shape::{Kind, Numeric, Shape, StringShape};

/// How deep a value is searched for limits.
const MAX_DEPTH: usize = 5;
/// The most properties of an object that are looked at.
const MAX_PROPERTIES: usize = 200;
/// The most listed values tried one by one.
const MAX_LISTED: usize = 20;
/// Texts that careless code trips over.
const ODD: [&str; 8] = ["it's", "*abc", "Ünïcödé 漢字 🦀", "  ", "-1", "null", "../..", "line\nbreak"];

/// What stands around a text to see whether its pattern is asked for from end to end.
const AROUND: (&str, &str) = ("a", "b");

/// The edges that follow from what the document states, or leaves open: an API that refuses one of them contradicts it.
pub const PROMISED: [&str; 10] = [
    "at its stated minimum",
    "at its stated maximum",
    "a listed value",
    "optional and left out",
    "as short as it may be",
    "as long as it may be",
    "empty, with no least length stated",
    "no items, with no least number stated",
    "odd, and within its pattern",
    "more than its unanchored pattern asks for",
];

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
        (Kind::String(limits), _) => text(value, limits, pointer, changes),
        (Kind::Enumeration(values), _) => {
            values.iter().take(MAX_LISTED).for_each(|listed| replace("a listed value", listed.clone()));
        }
        (Kind::Array { items, min, max, .. }, Value::Array(list)) => {
            if *min == 0 {
                replace("no items, with no least number stated", json!([]));
            }
            if let (Some(max), Some(first)) = (max.filter(|max| *max <= MAX_LIST), list.first()) {
                changes.extend(Change::repeat(pointer, "as many items as there may be", first, max));
            }
            if let Some(first) = list.first() {
                collect(first, items, shapes, &format!("{pointer}/0"), depth + 1, changes);
            }
        }
        (Kind::Object { properties, .. }, Value::Object(fields)) => {
            for property in properties.iter().take(MAX_PROPERTIES) {
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

fn text(value: &Value, limits: &StringShape, pointer: &str, changes: &mut Vec<Change>) {
    let mut replace = |what: &'static str, with: Value| changes.push(Change::replace(pointer, what, with));
    if let Some(format) = limits.format {
        format.edges().iter().for_each(|edge| replace("at the edge of its format", json!(edge)));
    }
    let odd = if limits.pattern.is_some() { "odd, and within its pattern" } else { "odd" };
    ODD.iter().for_each(|text| replace(odd, json!(text)));
    if let (Some(_), Value::String(text)) = (&limits.pattern, value) {
        let (before, after) = AROUND;
        replace("more than its unanchored pattern asks for", json!(format!("{before}{text}{after}")));
    }
    // A format has a least length of its own, whatever the document says.
    let shortest = match limits {
        StringShape { format: Some(_), .. } => "short",
        StringShape { min: 0, .. } => "empty, with no least length stated",
        _ => "as short as it may be",
    };
    let longest = if limits.max.is_some_and(|max| max <= MAX_TEXT) && limits.format.is_none() {
        "as long as it may be"
    } else {
        "long"
    };
    if limits.min <= MAX_TEXT {
        changes.push(Change::text(pointer, shortest, limits.min));
    }
    changes.push(Change::text(pointer, longest, limits.max.unwrap_or(2_000).min(MAX_TEXT)));
}

fn least(limits: &Numeric) -> &'static str {
    if limits.states_min { "at its stated minimum" } else { "at its minimum" }
}

fn most(limits: &Numeric) -> &'static str {
    if limits.states_max { "at its stated maximum" } else { "at its maximum" }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::values::format::Format;
    use crate::values::pattern::Pattern;

    /// What is promised of a text with these limits.
    fn promised(limits: StringShape, value: &str) -> Vec<&'static str> {
        let shape = Shape::of(Kind::String(limits));
        let shapes = Shapes::new(std::sync::Arc::default());
        let mut whats: Vec<&str> =
            edges(&json!(value), &shape, &shapes).iter().map(|change| change.alteration().what).collect();
        whats.retain(|what| PROMISED.contains(what));
        whats.dedup();
        whats
    }

    #[test]
    fn a_text_promises_what_its_limits_state_or_leave_open() {
        let free = StringShape::default();
        assert_eq!(promised(free, "a"), ["empty, with no least length stated"]);
        let limited = StringShape { min: 2, max: Some(9), ..StringShape::default() };
        assert_eq!(promised(limited, "abc"), ["as short as it may be", "as long as it may be"]);
        let dated = StringShape { format: Format::named("date"), ..StringShape::default() };
        assert_eq!(promised(dated, "2026-01-01"), Vec::<&str>::new());
        let pattern = Pattern::compile("[0-9]").map(Rc::new);
        let loose = StringShape { min: 1, pattern, ..StringShape::default() };
        let expected = [
            "odd, and within its pattern",
            "more than its unanchored pattern asks for",
            "as short as it may be",
        ];
        assert_eq!(promised(loose, "7"), expected);
    }
}
