//! Walking the schemas inside a rewritten schema.
//!
//! Which keyword holds schemas decides, not the name alone: a property may be called `enum`.

use serde_json::{Map, Value};

enum Holds {
    Schema,
    List,
    ByName,
}

fn holds(keyword: &str) -> Option<Holds> {
    match keyword {
        "properties" | "patternProperties" | "dependentSchemas" | "$defs" => Some(Holds::ByName),
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Some(Holds::List),
        "not"
        | "if"
        | "then"
        | "else"
        | "items"
        | "contains"
        | "propertyNames"
        | "additionalProperties"
        | "unevaluatedProperties"
        | "unevaluatedItems" => Some(Holds::Schema),
        _ => None,
    }
}

/// Calls back for the schema and every schema in it, outer ones first.
pub(crate) fn visit<'v>(schema: &'v Value, each: &mut impl FnMut(&'v Map<String, Value>)) {
    let Value::Object(map) = schema else { return };
    each(map);
    for (keyword, value) in map {
        match (holds(keyword), value) {
            (Some(Holds::Schema), schema) => visit(schema, each),
            (Some(Holds::List), Value::Array(schemas)) => {
                schemas.iter().for_each(|schema| visit(schema, each));
            }
            (Some(Holds::ByName), Value::Object(named)) => {
                named.values().for_each(|schema| visit(schema, each));
            }
            _ => {}
        }
    }
}

/// Calls back for the schema and every schema in it that applies to the same value.
pub(crate) fn visit_in_place<'v>(schema: &'v Value, each: &mut impl FnMut(&'v Map<String, Value>)) {
    let Value::Object(map) = schema else { return };
    each(map);
    for (keyword, value) in map {
        match (keyword.as_str(), value) {
            ("allOf" | "anyOf" | "oneOf", Value::Array(schemas)) => {
                schemas.iter().for_each(|schema| visit_in_place(schema, each));
            }
            ("dependentSchemas", Value::Object(named)) => {
                named.values().for_each(|schema| visit_in_place(schema, each));
            }
            ("not" | "if" | "then" | "else", schema) => visit_in_place(schema, each),
            _ => {}
        }
    }
}

/// Calls back for the schema and every schema in it, outer ones first; where it returns false, inner ones are skipped.
pub(crate) fn edit(schema: &mut Value, each: &mut impl FnMut(&mut Map<String, Value>) -> bool) {
    let Value::Object(map) = schema else { return };
    if !each(map) {
        return;
    }
    for (keyword, value) in map {
        match (holds(keyword), value) {
            (Some(Holds::Schema), schema) => edit(schema, each),
            (Some(Holds::List), Value::Array(schemas)) => {
                schemas.iter_mut().for_each(|schema| edit(schema, each));
            }
            (Some(Holds::ByName), Value::Object(named)) => {
                named.values_mut().for_each(|schema| edit(schema, each));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn properties_named_like_keywords_are_schemas_and_data_is_not() {
        let mut schema = json!({
            "properties": {"enum": {"n": 1}, "items": {"n": 2, "items": {"n": 3}}},
            "enum": [{"n": 0}], "examples": [{"properties": {"x": {"n": 0}}}], "const": {"n": 0},
            "anyOf": [{"n": 4}], "not": {"n": 5}, "$defs": {"x": {"n": 6}},
        });
        let mut seen = Vec::new();
        visit(&schema, &mut |map| seen.extend(map.get("n").and_then(Value::as_u64)));
        assert_eq!(seen, [1, 2, 3, 4, 5, 6]);
        let mut edited = Vec::new();
        edit(&mut schema, &mut |map| {
            edited.extend(map.get("n").and_then(Value::as_u64));
            map.get("n") != Some(&json!(2))
        });
        assert_eq!(edited, [1, 2, 4, 5, 6]);
    }
}
