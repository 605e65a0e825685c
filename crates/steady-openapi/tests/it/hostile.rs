//! Documents and values made to harm the reader. A test that does not end has failed.
use std::fmt::Write as _;

use serde_json::{Value, json};
use steady_openapi::{Api, Schema, parse};

fn api_with(definitions: &Value, schema: &Value) -> (Api, Schema) {
    let document = json!({
        "openapi": "3.1.0",
        "paths": {"/x": {"get": {"responses": {"200": {"content": {"application/json": {"schema": schema}}}}}}},
        "components": {"schemas": definitions},
    });
    let api = parse(&document.to_string(), "hostile.json").unwrap();
    let schema = api.operations[0].responses[0].content[0].schema.clone().unwrap();
    (api, schema)
}

fn nested(depth: usize, key: &str) -> Value {
    (0..depth).fold(json!(1), |inner, _| json!({ key: inner }))
}

#[test]
fn recursive_alternatives_do_not_multiply() {
    let branch =
        |extra: &str| json!({"properties": {"a": {"$ref": "#/components/schemas/T"}}, "required": [extra]});
    for keyword in ["anyOf", "oneOf", "allOf"] {
        let branches = [branch("a"), branch("a"), json!({"allOf": [branch("b"), branch("a")]})];
        let definitions = json!({"T": {"type": "object", keyword: branches}});
        let (api, schema) = api_with(&definitions, &json!({"$ref": "#/components/schemas/T"}));
        let validator = api.validator(&schema).unwrap();
        let value = nested(100, "a");
        assert!(!validator.is_valid(&value));
        assert!(!validator.errors(&value).is_empty());
    }
}

#[test]
fn what_is_wrong_with_a_huge_value_is_said_shortly() {
    let definitions = json!({"Item": {"type": "object", "required": ["id"]}});
    let (api, schema) =
        api_with(&definitions, &json!({"type": "array", "items": {"$ref": "#/components/schemas/Item"}}));
    let validator = api.validator(&schema).unwrap();
    for value in [json!(vec![0; 200_000]), json!("x".repeat(5_000_000)), json!(vec!["y".repeat(100); 300])] {
        let issues = validator.errors(&value);
        assert!((1..=20).contains(&issues.len()), "{}", issues.len());
        assert!(issues.iter().all(|issue| issue.message.chars().count() < 400));
    }
}

#[test]
fn a_pattern_that_backtracks_forever_decides_nothing() {
    let (api, schema) =
        api_with(&json!({}), &json!({"type": "string", "pattern": r"^(?=(a+)+$)(a|aa)+\1b$"}));
    let validator = api.validator(&schema).unwrap();
    let value = json!("a".repeat(5_000) + "!");
    validator.is_valid(&value);
    let text = json!("a".repeat(40) + "c");
    assert_eq!(validator.is_valid(&text), validator.errors(&text).is_empty());
    assert!(!validator.is_valid(&json!(5)));
}

#[test]
fn deep_schemas_and_values_fit_the_stack() {
    let mut schema = json!({"type": "string"});
    for _ in 0..55 {
        schema = json!({"properties": {"a": schema}, "nullable": true, "allOf": [{"type": "object"}]});
    }
    let (api, schema) =
        api_with(&json!({"R": {"properties": {"a": {"$ref": "#/components/schemas/R"}}}}), &schema);
    assert!(!api.validator(&schema).unwrap().errors(&nested(55, "a")).is_empty());
    let not = (0..110).fold(json!({"type": "string"}), |inner, _| json!({ "not": inner }));
    let (api, schema) = api_with(&json!({}), &not);
    assert!(api.validator(&schema).unwrap().is_valid(&json!("x")));
    let recursive =
        json!({"R": {"type": ["object", "null"], "properties": {"a": {"$ref": "#/components/schemas/R"}}}});
    let (api, schema) = api_with(&recursive, &json!({"$ref": "#/components/schemas/R"}));
    assert!(!api.validator(&schema).unwrap().errors(&nested(127, "a")).is_empty());
}

#[test]
fn references_in_circles_end() {
    let document = json!({
        "openapi": "3.0.0",
        "paths": {
            "/a": {"$ref": "#/paths/~1b"},
            "/b": {"$ref": "#/paths/~1a"},
            "/c": {
                "parameters": [{"$ref": "#/components/parameters/P"}],
                "get": {
                    "requestBody": {"$ref": "#/components/requestBodies/B"},
                    "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/X"}}}}},
                },
            },
        },
        "components": {
            "parameters": {"P": {"$ref": "#/components/parameters/P"}},
            "requestBodies": {"B": {"$ref": "#/components/requestBodies/B"}},
            "schemas": {
                "X": {"$ref": "#/components/schemas/Y"},
                "Y": {"$ref": "#/components/schemas/Z"},
                "Z": {"$ref": "#/components/schemas/X"},
            },
        },
    });
    let api = parse(&document.to_string(), "circles.json").unwrap();
    assert_eq!(api.operations.len(), 1);
    assert_eq!(api.problems.iter().filter(|problem| problem.skipped_operation).count(), 2);
    let schema = api.operations[0].responses[0].content[0].schema.as_ref().unwrap();
    assert!(api.validator(schema).unwrap().is_valid(&json!({"anything": 1})));
}

#[test]
fn one_shared_part_used_everywhere_is_not_copied_everywhere() {
    let shared: Vec<Value> = (0..2_000)
        .map(|number| json!({"name": format!("p{number}"), "in": "query", "example": "e".repeat(5_000)}))
        .collect();
    let mut document =
        format!("{{\"openapi\":\"3.0.0\",\"x-shared\":{{\"parameters\":{}}},\"paths\":{{", json!(shared));
    for number in 0..5_000 {
        write!(
            document,
            "\"/p{number}\":{{\"get\":{{\"parameters\":{{\"$ref\":\"#/x-shared/parameters\"}}}}}},"
        )
        .unwrap();
    }
    document.push_str("\"/last\":{}}}");
    let api = parse(&document, "shared.json").unwrap();
    let examples: usize =
        api.operations.iter().flat_map(|operation| &operation.parameters).map(|p| p.examples.len()).sum();
    assert!(!api.operations.is_empty() && examples < 100_000, "{examples}");
    assert!(api.problems.iter().any(|problem| problem.message.contains("more than steady keeps in memory")));
}

#[test]
fn references_into_the_insides_of_schemas_do_not_multiply_them() {
    let values: Vec<u32> = (0..100_000).collect();
    let inside = |depth| "/not".repeat(depth);
    let schema = (0..100).fold(json!({ "enum": values }), |inner, _| json!({ "not": inner }));
    let all: Vec<Value> =
        (0..100).map(|depth| json!({"$ref": format!("#/components/schemas/A{}", inside(depth))})).collect();
    let (api, _) = api_with(&json!({ "A": schema }), &json!({ "anyOf": all }));
    assert_eq!(api.definitions.len(), 100);
    assert!(api.problems.iter().any(|problem| problem.message.contains("more than steady keeps in memory")));
}
