//! Checking values: what is right, what is wrong, and how it is said.

use serde_json::{Value, json};
use steady_openapi::Validator;

use crate::api;

/// A validator for responses and one for requests, of the schema `S`.
fn validators(definitions: &Value) -> (Validator, Validator) {
    let document = json!({
        "openapi": "3.0.0",
        "paths": {"/x": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S"}}}}}}}},
        "components": {"schemas": definitions},
    });
    let api = api(&document.to_string());
    let schema = api.operations[0].responses[0].content[0].schema.clone().unwrap();
    (api.validator(&schema).unwrap(), api.request_validator(&schema).unwrap())
}

/// Pointers and messages, for a value of the schema `S`.
fn issues(definitions: &Value, value: &Value) -> Vec<(String, String)> {
    let (validator, _) = validators(definitions);
    let issues = validator.errors(value);
    assert_eq!(validator.is_valid(value), issues.is_empty());
    issues.into_iter().map(|issue| (issue.pointer, issue.message)).collect()
}

#[test]
fn issues_say_where_and_what_through_references_and_alternatives() {
    let definitions = json!({
        "S": {"type": "object", "required": ["id"], "properties": {
            "id": {"type": "integer", "minimum": 1},
            "owner": {"$ref": "#/components/schemas/User"},
            "maybe": {"allOf": [{"$ref": "#/components/schemas/User"}], "nullable": true},
            "one": {"oneOf": [{"type": "integer"}, {"type": "boolean"}]},
            "children": {"type": "array", "items": {"$ref": "#/components/schemas/S"}},
            "at": {"type": "string", "format": "date-time"},
        }},
        "User": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
    });
    for (value, expected) in [
        (
            json!({"id": 1, "owner": {"name": "a"}, "maybe": null, "one": true, "children": [{"id": 2}]}),
            vec![],
        ),
        (json!({}), vec![("", "\"id\" is a required property")]),
        (json!([]), vec![("", "[] is not of type \"object\"")]),
        (json!({"id": 0}), vec![("/id", "0 is less than the minimum of 1")]),
        (json!({"id": 1, "owner": {"name": 5}}), vec![("/owner/name", "5 is not of type \"string\"")]),
        (json!({"id": 1, "maybe": {}}), vec![("/maybe", "\"name\" is a required property")]),
        (
            json!({"id": 1, "one": "x"}),
            vec![("/one", "\"x\" does not match exactly one of the 2 alternatives")],
        ),
        (json!({"id": 1, "at": "yesterday"}), vec![("/at", "\"yesterday\" is not a \"date-time\"")]),
        (
            json!({"id": 1, "children": [{"id": 1}, {"id": 1, "children": [{"id": "x"}]}, {}]}),
            vec![
                ("/children/1/children/0/id", "\"x\" is not of type \"integer\""),
                ("/children/2", "\"id\" is a required property"),
            ],
        ),
    ] {
        let seen = issues(&definitions, &value);
        let seen: Vec<(&str, &str)> =
            seen.iter().map(|(pointer, message)| (pointer.as_str(), message.as_str())).collect();
        assert_eq!(seen, expected, "{value}");
    }
}

#[test]
fn read_only_is_not_asked_of_requests_nor_write_only_of_responses() {
    let definitions = json!({
        "S": {"required": ["id", "secret", "token", "name"], "properties": {
            "id": {"readOnly": true},
            "secret": {"writeOnly": true},
            "token": {"$ref": "#/components/schemas/Token"},
        }},
        "Token": {"type": "string", "writeOnly": true},
    });
    let (response, request) = validators(&definitions);
    assert!(response.is_valid(&json!({"id": 1, "name": "n"})));
    assert!(request.is_valid(&json!({"secret": 1, "token": "t", "name": "n"})));
    assert_eq!(response.errors(&json!({"name": "n"}))[0].message, "\"id\" is a required property");
    assert_eq!(
        request.errors(&json!({"secret": 1, "name": "n"}))[0].message,
        "\"token\" is a required property"
    );
    assert!(!response.is_valid(&json!({"id": 1})) && !request.is_valid(&json!({"secret": 1, "token": "t"})));
}

#[test]
fn a_pattern_no_engine_takes_does_not_spoil_the_rest() {
    let definitions = json!({"S": {
        "properties": {
            "bad": {"type": "string", "pattern": "*("},
            "good": {"type": "string", "pattern": "^[a-z]+$"},
            "look": {"type": "string", "pattern": "^(?!x)[a-z]+$"},
        },
        "patternProperties": {"[": {"type": "integer"}},
        "additionalProperties": false,
    }});
    assert!(issues(&definitions, &json!({"bad": "anything", "good": "a", "look": "a", "[": "x"})).is_empty());
    assert_eq!(issues(&definitions, &json!({"good": "A"}))[0].0, "/good");
    assert_eq!(issues(&definitions, &json!({"look": "xa"}))[0].0, "/look");
}

#[test]
fn base_and_variants_may_refer_to_each_other() {
    let definitions = json!({
        "S": {"type": "object", "required": ["kind"], "oneOf": [{"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/B"}]},
        "A": {"allOf": [{"$ref": "#/components/schemas/S"}, {"required": ["a"]}]},
        "B": {"allOf": [{"$ref": "#/components/schemas/S"}, {"required": ["b"]}]},
    });
    assert!(issues(&definitions, &json!({"kind": "a", "a": 1})).is_empty());
    assert!(!issues(&definitions, &json!({"kind": "a"})).is_empty());
    assert!(!issues(&definitions, &json!({"a": 1})).is_empty());
}

#[test]
fn schemas_that_look_at_what_others_saw_are_judged_as_a_whole() {
    let definitions = json!({"S": {
        "allOf": [{"properties": {"a": {"type": "integer"}}}],
        "unevaluatedProperties": false,
    }});
    assert!(issues(&definitions, &json!({"a": 1})).is_empty());
    assert_eq!(
        issues(&definitions, &json!({"b": 1})),
        [(String::new(), "does not match its schema".to_owned())]
    );
}
