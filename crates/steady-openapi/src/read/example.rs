//! Examples, in the many places they are written.

use serde_json::Value;

use super::Reader;
use crate::node::Node;

const MAX_EXAMPLES: usize = 20;
/// Longer texts and larger values are not used as examples.
const MAX_SIZE: usize = 10_000;

/// The examples a parameter or media type gives: `example`, `examples`, and `x-example` of 2.0.
pub(super) fn of<'d>(reader: &mut Reader<'d>, node: Node<'d>) -> Vec<Value> {
    let mut examples = Vec::new();
    for key in ["example", "x-example"] {
        if let Some(value) = node.value.get(key) {
            keep(reader, value, &mut examples);
        }
    }
    for key in ["examples", "x-examples"] {
        let Some(several) = node.get(key) else { continue };
        let several: Vec<Node<'d>> = match several.map() {
            Some(_) => several.entries().map(|(_, example)| example).collect(),
            None => several.items().collect(),
        };
        for example in several.into_iter().take(MAX_EXAMPLES) {
            match reader.documents.resolve(example) {
                Ok(example) => match (example.value.get("value"), example.map()) {
                    (Some(value), _) => {
                        let value =
                            reader.documents.resolve(example.with(value)).map_or(value, |node| node.value);
                        keep(reader, value, &mut examples);
                    }
                    // Only a pointer to an example elsewhere, or one without any content.
                    (None, Some(map)) if map.contains_key("externalValue") || map.contains_key("summary") => {
                    }
                    (None, _) => keep(reader, example.value, &mut examples),
                },
                Err(reason) => reader.note(format!("an example is left out: {reason}")),
            }
        }
    }
    examples
}

/// Adds an example, unless it is too large to keep.
pub(super) fn keep(reader: &mut Reader<'_>, value: &Value, examples: &mut Vec<Value>) {
    let size = size(value, MAX_SIZE);
    if size < MAX_SIZE && examples.len() < MAX_EXAMPLES && reader.spend(1 + size / 16) {
        examples.push(value.clone());
    }
}

/// Keeps the first of equal examples.
pub(super) fn distinct(examples: &mut Vec<Value>) {
    let mut kept: Vec<Value> = Vec::new();
    for example in examples.drain(..).take(2 * MAX_EXAMPLES) {
        if !kept.contains(&example) {
            kept.push(example);
        }
    }
    *examples = kept;
}

/// Roughly the bytes a value has, counted no further than `limit`.
fn size(value: &Value, limit: usize) -> usize {
    let mut waiting = vec![value];
    let mut bytes = 0;
    while let Some(value) = waiting.pop() {
        bytes += match value {
            Value::String(text) => text.len() + 2,
            Value::Array(items) => {
                waiting.extend(items.iter().take(limit));
                2
            }
            Value::Object(map) => {
                waiting.extend(map.values().take(limit));
                2 + map.keys().take(limit).map(|key| key.len() + 4).sum::<usize>()
            }
            _ => 4,
        };
        if bytes >= limit {
            return limit;
        }
    }
    bytes
}
