//! No document makes the loader panic.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Map, Value, json};
use steady_openapi::parse;

/// Words that mean something to the loader, so that arbitrary documents reach its corners.
const WORDS: &[&str] = &[
    "openapi",
    "swagger",
    "3.0.0",
    "3.1.0",
    "2.0",
    "info",
    "title",
    "servers",
    "url",
    "variables",
    "default",
    "host",
    "basePath",
    "schemes",
    "paths",
    "/x",
    "/x/{id}",
    "get",
    "post",
    "parameters",
    "name",
    "id",
    "in",
    "path",
    "query",
    "header",
    "body",
    "formData",
    "required",
    "schema",
    "style",
    "explode",
    "content",
    "application/json",
    "text/xml",
    "requestBody",
    "responses",
    "200",
    "4XX",
    "headers",
    "links",
    "operationId",
    "operationRef",
    "examples",
    "example",
    "value",
    "encoding",
    "security",
    "components",
    "schemas",
    "securitySchemes",
    "definitions",
    "A",
    "$ref",
    "#",
    "#/components/schemas/A",
    "#/definitions/A",
    "#/paths/~1x/get",
    "#/components/parameters/A",
    "other.yaml",
    "type",
    "object",
    "array",
    "string",
    "integer",
    "file",
    "properties",
    "items",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "nullable",
    "enum",
    "pattern",
    "^a(",
    "format",
    "discriminator",
    "mapping",
    "propertyName",
    "xml",
    "additionalProperties",
    "exclusiveMinimum",
    "minimum",
    "collectionFormat",
    "multi",
    "consumes",
    "produces",
    "$defs",
    "$anchor",
    "-1",
    "",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![8 => prop::sample::select(WORDS).prop_map(str::to_owned), 1 => any::<String>()]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 6, |inner| {
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            4 => prop::collection::vec((word(), inner), 0..6)
                .prop_map(|entries| Value::Object(Map::from_iter(entries))),
        ]
    })
}

/// A document that is one at its top, with anything below.
fn document() -> impl Strategy<Value = Value> {
    (value(), value(), value(), value(), prop::sample::select(&["2.0", "3.0.0", "3.1.0"][..])).prop_map(
        |(operation, item, schema, any, version)| {
            let schemas = json!({"A": schema, "B": {"$ref": "#/components/schemas/A"}});
            let sure = json!({"post": {
                "parameters": [{"name": "p", "in": "query", "schema": any}],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/B"}}}},
                "responses": {"200": {"schema": item}},
            }});
            json!({
                "openapi": version,
                "paths": {"/x/{id}": {"get": operation, "parameters": any}, "/y": item, "/z": sure},
                "components": {"schemas": schemas, "parameters": {"A": any}, "responses": {"A": any}},
                "definitions": schemas,
                "servers": any, "security": any,
            })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_text_loads_or_is_refused(text in any::<String>()) {
        let _ = parse(&text, "any");
    }

    #[test]
    fn any_yaml_like_text_loads_or_is_refused(text in "([a-z$&*!<?|>@%-]{0,3}[:#,\\[\\]{}\"'\n -]{1,3}){0,40}") {
        let _ = parse(&text, "any");
    }

    #[test]
    fn any_value_loads_or_is_refused(value in value()) {
        let _ = parse(&value.to_string(), "any");
        let _ = parse(&yaml_serde::to_string(&value).unwrap(), "any");
    }

    #[test]
    fn any_document_loads_and_its_schemas_can_be_checked_against(document in document(), value in value()) {
        let api = parse(&document.to_string(), "any").unwrap();
        for operation in &api.operations {
            let content = operation.responses.iter().flat_map(|response| &response.content);
            let bodies = operation.body.iter().flat_map(|body| &body.content);
            let schemas = content.chain(bodies).filter_map(|media_type| media_type.schema.as_ref());
            for schema in schemas.chain(operation.parameters.iter().map(|parameter| &parameter.schema)) {
                let validator = api.validator(schema).unwrap();
                prop_assert_eq!(validator.is_valid(&value), validator.errors(&value).is_empty());
            }
        }
    }
}
