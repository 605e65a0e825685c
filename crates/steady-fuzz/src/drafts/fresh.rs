//! Makes a test repeatable whose creations collide with those of its last run.
//!
//! A user name that must be unique can be registered once. The second run of the test would see a conflict, unless every run uses
//! another name.

use serde_json::Value;
use steady_model::Fresh;

use crate::api_model::ApiModel;
use crate::names::Name;
use crate::plan::{Binding, Intent, Plan, Supply};
use crate::request::Slot;
use crate::values::escape;
use crate::values::{Format, Kind, Shape, Shapes, StringShape};

/// Random characters at the end of a fresh value.
const LENGTH: usize = 8;
/// How deep a body is searched for texts.
const MAX_DEPTH: usize = 6;
/// How many texts of a body are made fresh.
const MAX_FIELDS: usize = 6;

/// The plan with the plain texts of its bodies new in every run; `None` when there are none.
///
/// Only the API knows which of them must be unique: all are replaced whose schema allows any text.
pub fn freshen(plan: &Plan, model: &ApiModel) -> Option<Plan> {
    let mut fresher = plan.clone();
    for index in 0..plan.calls.len() {
        // Calls that were equal stay equal: a repetition is one only with the same values.
        let original = plan.calls[..index].iter().position(|call| {
            call.endpoint == plan.calls[index].endpoint && call.arguments == plan.calls[index].arguments
        });
        if let Some(original) = original {
            fresher.calls[index].bindings = fresher.calls[original].bindings.clone();
            continue;
        }
        let call = &mut fresher.calls[index];
        let Some(body) = &call.arguments.body else { continue };
        let Some(shape) = model.catalog[call.endpoint].bodies.get(body.media) else { continue };
        let mut fields = Vec::new();
        free_texts(&body.value, shape, &model.catalog.shapes, "", 0, &mut fields);
        for Field { pointer, name, text } in fields {
            let slot = Slot::Body(pointer);
            if call.bindings.iter().any(|binding| binding.slot == slot) {
                continue;
            }
            let number = fresher.fresh.len() + 1;
            let name = format!("new_{}_{number}", Name::new(&name).snake());
            let prefix: String = text
                .chars()
                .take_while(|&character| character != '@')
                .filter(char::is_ascii_alphanumeric)
                .take(4)
                .collect();
            let suffix = text.find('@').map(|at| text[at..].to_owned()).unwrap_or_default();
            fresher.fresh.push(Fresh { name, prefix, length: LENGTH, suffix });
            call.bindings.push(Binding { slot, supply: Supply::Fresh(fresher.fresh.len() - 1) });
        }
    }
    (fresher.fresh.len() > plan.fresh.len()).then_some(fresher)
}

/// The plan with its last call made twice on fresh values: a conflict the test brings about by itself.
pub fn collide(plan: &Plan, model: &ApiModel) -> Option<Plan> {
    let mut twice = freshen(plan, model)?;
    let mut first = twice.calls.last()?.clone();
    first.intent = Intent::Prepare;
    let last = twice.calls.len() - 1;
    twice.calls.insert(last, first);
    Some(twice)
}

/// A text in a body that can be another one in every run.
struct Field {
    pointer: String,
    name: String,
    text: String,
}

/// The free texts of a body, nested objects looked through.
fn free_texts(
    value: &Value,
    shape: &Shape,
    shapes: &Shapes,
    pointer: &str,
    depth: usize,
    found: &mut Vec<Field>,
) {
    if depth > MAX_DEPTH || found.len() >= MAX_FIELDS {
        return;
    }
    match (&shape.kind, value) {
        (Kind::Reference(name), value) => {
            free_texts(value, &shapes.named(name), shapes, pointer, depth + 1, found);
        }
        (Kind::Object { properties, .. }, Value::Object(fields)) => {
            for property in properties {
                let Some(field) = fields.get(&property.name) else { continue };
                let below = format!("{pointer}/{}", escape(&property.name));
                match (&property.shape.kind, field) {
                    (Kind::String(limits), Value::String(text)) if is_free(limits, text) => {
                        found.push(Field { pointer: below, name: property.name.clone(), text: text.clone() });
                    }
                    (_, field) => free_texts(field, &property.shape, shapes, &below, depth + 1, found),
                }
            }
        }
        _ => {}
    }
}

/// A word that nothing but its length limits, or an e-mail address; anything else would lose its structure.
fn is_free(limits: &StringShape, text: &str) -> bool {
    let (local, domain) = text.split_once('@').unwrap_or((text, "example.com"));
    let plain = |part: &str, others: &str| {
        !part.is_empty()
            && part.chars().all(|character| character.is_alphanumeric() || others.contains(character))
    };
    let format = limits.format.is_none_or(|format| format == Format::Email && text.contains('@'));
    let room =
        limits.max.is_none_or(|max| max >= LENGTH + 4 + text.find('@').map_or(0, |at| text.len() - at));
    format && room && limits.pattern.is_none() && plain(local, "_ .") && plain(domain, ".-")
}
