//! What the document promises: one of some values, or a number between bounds.

use indexmap::IndexMap;
use serde_json::Value;
use steady_model::{JsonType, Matcher, Place, Range};

use super::site::Site;
use crate::infer::Family;

/// References followed on the way to a place.
const MAX_STEPS: usize = 64;

/// A JSON Schema and those it refers to as `#/$defs/<name>`.
#[derive(Debug, Clone, Copy)]
pub struct Schema<'a> {
    /// The schema.
    pub root: &'a Value,
    /// The ones it refers to.
    pub definitions: &'a IndexMap<String, Value>,
}

pub(super) fn form(site: &Site<'_>, _: &[Family]) -> Option<Vec<Matcher>> {
    let Place::Body(pointer) = site.place else { return None };
    let schema = site.subject.schema?.at(pointer)?;
    let values = site.all()?;
    if let Some(allowed) = schema.get("enum").and_then(Value::as_array) {
        return Some(vec![Matcher::OneOf(allowed.clone())]);
    }
    let bound = |name: &str| schema.get(name).and_then(|value| value.as_number()).cloned();
    let range = Range { min: bound("minimum"), max: bound("maximum") };
    if range == Range::default() || !values.iter().all(|value| value.is_number()) {
        return None;
    }
    let whole = values.iter().all(|value| JsonType::Integer.admits(value))
        && schema.get("type").and_then(Value::as_str) == Some("integer");
    let kind = if whole { JsonType::Integer } else { JsonType::Number };
    Some(vec![Matcher::Range(range), Matcher::Type(kind)])
}

impl<'a> Schema<'a> {
    /// The schema of the value at a pointer.
    fn at(self, pointer: &str) -> Option<&'a Value> {
        let mut schema = self.resolved(self.root)?;
        for token in pointer.split('/').skip(1) {
            let name = token.replace("~1", "/").replace("~0", "~");
            schema = self.resolved(self.below(schema, &name, 0)?)?;
        }
        Some(schema)
    }

    fn below(self, schema: &'a Value, name: &str, depth: usize) -> Option<&'a Value> {
        if depth > MAX_STEPS {
            return None;
        }
        let own = schema.get("properties").and_then(|fields| fields.get(name));
        let item = || name.bytes().all(|byte| byte.is_ascii_digit()).then(|| schema.get("items")).flatten();
        let part = |part| self.below(self.resolved(part)?, name, depth + 1);
        let parts = || schema.get("allOf")?.as_array()?.iter().find_map(part);
        own.or_else(item).or_else(parts)
    }

    fn resolved(self, mut schema: &'a Value) -> Option<&'a Value> {
        for _ in 0..MAX_STEPS {
            match schema.get("$ref").and_then(Value::as_str) {
                Some(reference) => schema = self.definitions.get(reference.strip_prefix("#/$defs/")?)?,
                None => return Some(schema),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn schemas_are_found_through_references_items_and_parts() {
        let definitions = IndexMap::from([
            (
                "page".to_owned(),
                json!({"allOf": [{"properties": {"rows": {"items": {"$ref": "#/$defs/row"}}}}]}),
            ),
            ("row".to_owned(), json!({"properties": {"a/b": {"minimum": 1}}})),
            ("loop".to_owned(), json!({"$ref": "#/$defs/loop"})),
            ("deep".to_owned(), json!({"allOf": [{"$ref": "#/$defs/deep"}]})),
        ]);
        let at = |name: &str, pointer: &str| {
            let root = json!({"$ref": format!("#/$defs/{name}")});
            Schema { root: &root, definitions: &definitions }.at(pointer).cloned()
        };
        assert_eq!(at("page", "/rows/3/a~1b"), Some(json!({"minimum": 1})));
        assert_eq!(at("page", "/rows/x"), None);
        assert_eq!(at("loop", ""), None);
        assert_eq!(at("deep", "/x"), None);
    }
}
