//! Schemas of every version become JSON Schema 2020-12.

use serde_json::{Value, json};

use crate::{api, only};

/// What becomes of a schema in a document of this version.
fn rewritten(version: &str, schema: &Value) -> Value {
    let key = if version.starts_with('2') { "swagger" } else { "openapi" };
    let document = json!({
        key: version,
        "paths": {"/x": {"get": {"parameters": [{"name": "p", "in": "query", "schema": schema}]}}},
        "components": {"schemas": {"Pet": {"type": "object"}, "Cat": {"type": "object"}}},
    });
    let api = api(&document.to_string());
    let schema = &only(&api).parameters[0].schema;
    api.validator(schema).unwrap();
    (*schema.0).clone()
}

#[test]
fn older_keywords_become_todays() {
    for (given, expected) in [
        (json!({"type": "string", "nullable": true}), json!({"type": ["string", "null"]})),
        (json!({"type": "string", "x-nullable": true}), json!({"type": ["string", "null"]})),
        (json!({"nullable": true}), json!({})),
        (
            json!({"type": "string", "enum": ["a"], "nullable": true}),
            json!({"type": ["string", "null"], "enum": ["a", null]}),
        ),
        (
            json!({"$ref": "#/components/schemas/Pet", "nullable": true, "readOnly": true}),
            json!({"readOnly": true, "anyOf": [{"$ref": "#/$defs/Pet"}, {"type": "null"}]}),
        ),
        (
            json!({"allOf": [{"nullable": true}, {"$ref": "#/components/schemas/Pet"}]}),
            json!({"anyOf": [{"allOf": [{}, {"$ref": "#/$defs/Pet"}]}, {"type": "null"}]}),
        ),
        (
            json!({"minimum": 1, "exclusiveMinimum": true, "maximum": 9, "exclusiveMaximum": false}),
            json!({"exclusiveMinimum": 1, "maximum": 9}),
        ),
        (json!({"exclusiveMinimum": 3}), json!({"exclusiveMinimum": 3})),
        (json!({"type": "file"}), json!({"type": "string", "format": "binary"})),
        (
            json!({"items": [{"type": "string"}, {"type": "integer"}], "additionalItems": false}),
            json!({"prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false}),
        ),
        (
            json!({"dependencies": {"a": ["b"], "c": {"required": ["d"]}}}),
            json!({"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"required": ["d"]}}}),
        ),
        (json!({"discriminator": "kind"}), json!({"discriminator": {"propertyName": "kind"}})),
        (
            json!({"discriminator": {"propertyName": "kind", "mapping": {"a": "Cat", "b": "#/components/schemas/Pet", "c": "?"}}}),
            json!({"discriminator": {"propertyName": "kind", "mapping": {"a": "#/$defs/Cat", "b": "#/$defs/Pet"}}}),
        ),
    ] {
        assert_eq!(rewritten("3.0.0", &given), expected, "{given}");
    }
}

#[test]
fn examples_and_defaults_become_examples_of_the_right_type() {
    for (given, expected) in [
        (json!({"example": 1, "default": 2, "examples": [3, 1]}), json!({"examples": [1, 3, 2]})),
        (json!({"examples": {"a": {"value": 5}}, "x-example": 6}), json!({"examples": [5, 6]})),
        (json!({"type": "string", "example": 12}), json!({"type": "string", "examples": ["12"]})),
        (json!({"type": "integer", "default": "12"}), json!({"type": "integer", "examples": [12]})),
        (json!({"default": null}), json!({"examples": [null]})),
    ] {
        assert_eq!(rewritten("3.0.0", &given), expected, "{given}");
    }
}

#[test]
fn siblings_of_a_reference_count_from_3_1_on() {
    let given =
        json!({"$ref": "#/components/schemas/Pet", "required": ["a"], "readOnly": true, "example": {}});
    let older = json!({"$ref": "#/$defs/Pet", "readOnly": true, "examples": [{}]});
    let newer = json!({"$ref": "#/$defs/Pet", "required": ["a"], "readOnly": true, "examples": [{}]});
    assert_eq!(rewritten("2.0", &given), older);
    assert_eq!(rewritten("3.0.0", &given), older);
    assert_eq!(rewritten("3.1.0", &given), newer);
}

#[test]
fn what_is_malformed_is_repaired_or_dropped() {
    for (given, expected) in [
        (json!({"type": "int"}), json!({"type": "integer"})),
        (json!({"type": "String"}), json!({"type": "string"})),
        (json!({"type": "date"}), json!({"type": "string", "format": "date"})),
        (json!({"type": "any"}), json!({})),
        (json!({"type": ["string", "string", "null"]}), json!({"type": ["string", "null"]})),
        (json!({"type": {}}), json!({})),
        (json!({"required": true}), json!({})),
        (json!({"required": ["a", "a", 1]}), json!({"required": ["a"]})),
        (
            json!({"minLength": "3", "maxLength": 5.0, "minItems": -1, "maxItems": {}}),
            json!({"minLength": 3, "maxLength": 5}),
        ),
        (json!({"minimum": "1.5", "maximum": "x", "multipleOf": 0}), json!({"minimum": 1.5})),
        (json!({"enum": []}), json!({})),
        (json!({"enum": "a"}), json!({})),
        (json!({"type": "string", "enum": [1, true]}), json!({"type": "string", "enum": ["1", "true"]})),
        (json!({"type": "integer", "enum": ["1", "2"]}), json!({"type": "integer", "enum": [1, 2]})),
        (json!({"type": "boolean", "enum": ["True"]}), json!({"type": "boolean", "enum": [true]})),
        (json!({"type": "integer", "enum": ["one"]}), json!({"type": "integer"})),
        (
            json!({"type": "array", "enum": ["a"], "items": {"type": "string"}}),
            json!({"type": "array", "items": {"type": "string", "enum": ["a"]}}),
        ),
        (json!({"items": [{"type": "string"}]}), json!({"items": {"type": "string"}})),
        (json!({"items": "string"}), json!({"items": {"type": "string"}})),
        (
            json!({"properties": {"a": null, "b": 5, "c": "integer"}}),
            json!({"properties": {"a": {}, "b": {}, "c": {"type": "integer"}}}),
        ),
        (json!({"properties": [], "additionalProperties": "false"}), json!({"additionalProperties": false})),
        (
            json!({"properties": {"$ref": {"type": "string"}}}),
            json!({"properties": {"$ref": {"type": "string"}}}),
        ),
        (
            json!({"allOf": {"type": "string"}, "anyOf": [], "oneOf": null}),
            json!({"allOf": [{"type": "string"}]}),
        ),
        (json!({"pattern": "/^a$/i"}), json!({"pattern": "(?i)^a$"})),
        (json!({"pattern": 5, "format": 5, "uniqueItems": "yes"}), json!({})),
        (json!({"title": "x", "x-own": 1, "externalDocs": {}, "$id": "x", "$schema": "y"}), json!({})),
        (json!([1]), json!({})),
        (json!(false), json!(false)),
    ] {
        assert_eq!(rewritten("3.0.0", &given), expected, "{given}");
    }
}

#[test]
fn definitions_are_reached_from_everywhere_and_named_safely() {
    let api = api(r##"
openapi: 3.1.0
paths:
  /x:
    get:
      responses:
        200:
          content:
            application/json:
              schema:
                properties:
                  plain: {$ref: "#/components/schemas/Plain"}
                  again: {$ref: "#/components/schemas/Plain"}
                  angled: {$ref: "#/components/schemas/List«Pet»"}
                  encoded: {$ref: "#/components/schemas/List%C2%ABPet%C2%BB"}
                  deep: {$ref: "#/paths/~1y/get/responses/200/content/application~1json/schema"}
                  anchor: {$ref: "#here"}
                  bare: {$ref: "Plain"}
                  elsewhere: {$ref: "#/definitions/Plain"}
                  local: {$ref: "#/components/schemas/Local"}
                  missing: {$ref: "#/components/schemas/Missing"}
  /y: {get: {responses: {200: {content: {application/json: {schema: {type: integer}}}}}}}
components:
  schemas:
    Plain: {properties: {self: {$ref: "#/components/schemas/Plain"}}}
    List«Pet»: {type: array, items: {$ref: "#/components/schemas/Plain"}}
    Anchored: {$anchor: here, type: boolean}
    Local: {properties: {a: {$ref: "#/$defs/inner"}}, $defs: {inner: {type: number}}}
"##);
    let schema = api.operations[0].responses[0].content[0].schema.as_ref().unwrap();
    let names: Vec<&str> = schema.0["properties"]
        .as_object()
        .unwrap()
        .values()
        .map(|property| property.get("$ref").and_then(Value::as_str).unwrap_or("-"))
        .collect();
    let deep = "#/$defs/paths._y.get.responses.200.content.application_json.schema";
    assert_eq!(
        names,
        [
            "#/$defs/Plain",
            "#/$defs/Plain",
            "#/$defs/List_Pet_",
            "#/$defs/List_Pet_",
            deep,
            "#/$defs/Anchored",
            "#/$defs/Plain",
            "#/$defs/Plain",
            "#/$defs/Local",
            "-",
        ]
    );
    assert_eq!(api.definitions["List_Pet_"], json!({"type": "array", "items": {"$ref": "#/$defs/Plain"}}));
    assert_eq!(api.definitions["inner"], json!({"type": "number"}));
    assert_eq!(api.problems.len(), 1);
    assert!(api.problems[0].message.contains("`#/components/schemas/Missing` leads nowhere"));
    assert!(api.validator(schema).unwrap().is_valid(&json!({"missing": 5, "deep": 5})));
    assert!(!api.validator(schema).unwrap().is_valid(&json!({"deep": "five"})));
}
