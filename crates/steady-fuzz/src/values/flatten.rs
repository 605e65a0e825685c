//! Folds `allOf` and distributes siblings into `anyOf` and `oneOf`: one level of a schema then says it all.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use steady_openapi::Definitions;

/// How deep references are followed while folding; recursive `allOf` ends here.
const MAX_DEPTH: usize = 12;
/// How many branches a union may fold into.
const MAX_BRANCHES: usize = 32;
/// How many schemas one folding may look at.
const MAX_STEPS: usize = 400;
/// How many properties count as much as a schema.
const PROPERTIES_PER_STEP: usize = 200;

/// The alternatives a schema amounts to: each without `allOf`, `anyOf`, `oneOf` or a top-level `$ref`.
pub fn alternatives(schema: &Value, definitions: &Definitions) -> Vec<Map<String, Value>> {
    let mut branches = Folding { definitions, steps: MAX_STEPS }.expand(schema, 0);
    branches.truncate(MAX_BRANCHES);
    branches
}

struct Folding<'a> {
    definitions: &'a Definitions,
    steps: usize,
}

impl Folding<'_> {
    fn expand(&mut self, schema: &Value, depth: usize) -> Vec<Map<String, Value>> {
        let Value::Object(keywords) = schema else {
            // `true` admits everything; `false` has no alternative.
            return if schema == &Value::Bool(false) { Vec::new() } else { vec![Map::new()] };
        };
        // Unions that refer to each other multiply; what lies beyond the limit is left open.
        if depth > MAX_DEPTH || self.steps == 0 {
            return vec![Map::new()];
        }
        self.steps = self.steps.saturating_sub(steps(keywords));
        let mut base = keywords.clone();
        let mut branches = vec![Map::new()];
        let target = base.shift_remove("$ref");
        if let Some(target) = target.as_ref().and_then(|name| resolve(name, self.definitions)) {
            branches = product(&branches, &self.expand(target, depth + 1));
        }
        if let Some(Value::Array(parts)) = base.shift_remove("allOf") {
            for part in &parts {
                branches = product(&branches, &self.expand(part, depth + 1));
            }
        }
        for keyword in ["oneOf", "anyOf"] {
            if let Some(Value::Array(parts)) = base.shift_remove(keyword) {
                let options: Vec<_> = parts
                    .iter()
                    .take(MAX_BRANCHES)
                    .flat_map(|part| self.expand(part, depth + 1))
                    .take(MAX_BRANCHES)
                    .collect();
                if !options.is_empty() {
                    branches = product(&branches, &options);
                }
            }
        }
        branches.iter().filter_map(|branch| merge(branch, &base)).collect()
    }
}

/// The work of looking at a schema: what it says of properties is copied and compared.
fn steps(keywords: &Map<String, Value>) -> usize {
    let properties = keywords.get("properties").and_then(Value::as_object).map_or(0, Map::len);
    let required = keywords.get("required").and_then(Value::as_array).map_or(0, Vec::len);
    1 + (properties + required) / PROPERTIES_PER_STEP
}

/// The schema a `#/$defs/<name>` reference names.
pub fn resolve<'a>(reference: &Value, definitions: &'a Definitions) -> Option<&'a Value> {
    definitions.get(definition_name(reference)?)
}

/// The name in a `#/$defs/<name>` reference.
pub fn definition_name(reference: &Value) -> Option<&str> {
    reference.as_str()?.strip_prefix("#/$defs/")
}

fn product(left: &[Map<String, Value>], right: &[Map<String, Value>]) -> Vec<Map<String, Value>> {
    let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
    pairs.filter_map(|(a, b)| merge(a, b)).take(MAX_BRANCHES).collect()
}

/// Both schemas at once; `None` when no value satisfies both.
fn merge(left: &Map<String, Value>, right: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut merged = left.clone();
    for (keyword, value) in right {
        let Some(present) = merged.get(keyword) else {
            merged.insert(keyword.clone(), value.clone());
            continue;
        };
        let both = match keyword.as_str() {
            "type" => intersect_types(present, value)?,
            "enum" => intersect_lists(present, value)?,
            "required" => union_lists(present, value),
            "properties" => merge_properties(present, value),
            "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
                extreme(present, value, f64::gt)
            }
            "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
                extreme(present, value, f64::lt)
            }
            "additionalProperties" if present == &Value::Bool(false) => present.clone(),
            _ => value.clone(),
        };
        merged.insert(keyword.clone(), both);
    }
    Some(merged)
}

fn type_list(types: &Value) -> Vec<&str> {
    match types {
        Value::String(one) => vec![one],
        Value::Array(many) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn intersect_types(left: &Value, right: &Value) -> Option<Value> {
    let right = type_list(right);
    let common: Vec<Value> = type_list(left)
        .into_iter()
        .filter_map(|name| {
            let narrowed = match name {
                "number" if right.contains(&"integer") && !right.contains(&"number") => "integer",
                "integer" if right.contains(&"number") => "integer",
                name if right.contains(&name) => name,
                _ => return None,
            };
            Some(Value::from(narrowed))
        })
        .collect();
    (!common.is_empty()).then_some(Value::Array(common))
}

fn intersect_lists(left: &Value, right: &Value) -> Option<Value> {
    let (left, right) = (left.as_array()?, right.as_array()?);
    let common: Vec<Value> = left.iter().filter(|value| right.contains(value)).cloned().collect();
    (!common.is_empty()).then_some(Value::Array(common))
}

fn union_lists(left: &Value, right: &Value) -> Value {
    let mut all = left.as_array().cloned().unwrap_or_default();
    // Names, in documents that are as they should be; thousands of them are not compared with each other.
    let known: BTreeSet<&str> = left.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let new = |value: &&Value| value.as_str().is_some_and(|name| !known.contains(name));
    all.extend(right.as_array().into_iter().flatten().filter(new).cloned());
    Value::Array(all)
}

fn merge_properties(left: &Value, right: &Value) -> Value {
    let mut merged = left.as_object().cloned().unwrap_or_default();
    for (name, schema) in right.as_object().into_iter().flatten() {
        let both = match merged.get(name) {
            Some(present) if present != schema => serde_json::json!({ "allOf": [present, schema] }),
            _ => schema.clone(),
        };
        merged.insert(name.clone(), both);
    }
    Value::Object(merged)
}

fn extreme(left: &Value, right: &Value, beats: fn(&f64, &f64) -> bool) -> Value {
    match (left.as_f64(), right.as_f64()) {
        (Some(a), Some(b)) if beats(&a, &b) => left.clone(),
        _ => right.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn all_of_is_folded_through_references() {
        let definitions = Definitions::from([(
            "Base".to_owned(),
            json!({"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}),
        )]);
        let schema = json!({"allOf": [{"$ref": "#/$defs/Base"}, {"properties": {"name": {"type": "string"}}, "required": ["name"]}]});
        let found = alternatives(&schema, &definitions);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0]["required"], json!(["id", "name"]));
        assert_eq!(found[0]["properties"].as_object().unwrap().len(), 2);
    }

    #[test]
    fn siblings_of_one_of_reach_every_branch_and_contradictions_vanish() {
        let schema = json!({"type": "integer", "oneOf": [{"minimum": 5}, {"type": "string"}]});
        let found = alternatives(&schema, &Definitions::new());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0]["minimum"], json!(5));
    }

    #[test]
    fn unions_that_refer_to_each_other_end() {
        let names = ["A", "B", "C", "D", "E", "F", "G", "H"];
        let parts: Vec<Value> = names.iter().map(|name| json!({"$ref": format!("#/$defs/{name}")})).collect();
        let schema = json!({"anyOf": parts, "oneOf": parts, "allOf": [{"anyOf": parts}]});
        let definitions: Definitions =
            names.iter().map(|name| ((*name).to_owned(), schema.clone())).collect();
        assert!(alternatives(&schema, &definitions).len() <= MAX_BRANCHES);
    }

    #[test]
    fn recursive_all_of_ends() {
        let definitions =
            Definitions::from([("Loop".to_owned(), json!({"allOf": [{"$ref": "#/$defs/Loop"}]}))]);
        assert!(!alternatives(&json!({"$ref": "#/$defs/Loop"}), &definitions).is_empty());
    }
}
