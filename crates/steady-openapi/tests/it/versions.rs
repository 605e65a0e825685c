//! The same API described in 2.0, 3.0 and 3.1 gives the same model.

use crate::api;

const V2: &str = r##"
swagger: "2.0"
info: {title: Shop, version: "1"}
host: shop.test
basePath: /api
schemes: [https]
consumes: [application/json]
produces: [application/json]
securityDefinitions:
  key: {type: apiKey, in: header, name: X-Key}
  login: {type: basic}
security: [{key: []}]
paths:
  /orders/{id}:
    parameters:
      - {name: id, in: path, required: true, type: integer, minimum: 1, exclusiveMinimum: true}
    put:
      operationId: putOrder
      tags: [orders]
      summary: Replaces an order
      security: [{login: []}, {}]
      parameters:
        - {name: fields, in: query, type: array, items: {type: string}, collectionFormat: csv, default: [id]}
        - {name: sort, in: query, type: string, enum: [up, down], required: true}
        - {name: tags, in: query, type: array, items: {type: string}, collectionFormat: multi}
        - {name: order, in: body, required: true, schema: {$ref: "#/definitions/Order"}}
      responses:
        200:
          description: ok
          schema: {$ref: "#/definitions/Order"}
          headers: {X-Rate: {type: integer}}
        default: {description: any}
  /upload:
    post:
      consumes: [multipart/form-data]
      parameters:
        - {name: file, in: formData, type: file, required: true}
        - {name: note, in: formData, type: string}
      responses:
        4XX: {description: no}
definitions:
  Order:
    type: object
    required: [id]
    properties:
      id: {type: integer, example: 7}
      note: {type: string, x-nullable: true, maxLength: 5}
      parent: {$ref: "#/definitions/Order"}
"##;

/// Versions 3.0 and 3.1 differ in three places here.
fn v3(version: &str, above_zero: &str, note: &str, example: &str) -> String {
    format!(
        r##"
openapi: {version}
info: {{title: Shop, version: "1"}}
servers: [{{url: "https://{{host}}/api", variables: {{host: {{default: shop.test}}}}}}]
security: [{{key: []}}]
paths:
  /orders/{{id}}:
    parameters:
      - {{name: id, in: path, required: true, schema: {{type: integer, {above_zero}}}}}
    put:
      operationId: putOrder
      tags: [orders]
      summary: Replaces an order
      security: [{{login: []}}, {{}}]
      parameters:
        - {{name: fields, in: query, explode: false, schema: {{type: array, items: {{type: string}}, default: [id]}}}}
        - {{name: sort, in: query, required: true, schema: {{type: string, enum: [up, down]}}}}
        - {{name: tags, in: query, schema: {{type: array, items: {{type: string}}}}}}
      requestBody:
        required: true
        content: {{application/json: {{schema: {{$ref: "#/components/schemas/Order"}}}}}}
      responses:
        200:
          description: ok
          content: {{application/json: {{schema: {{$ref: "#/components/schemas/Order"}}}}}}
          headers: {{X-Rate: {{schema: {{type: integer}}}}}}
        default: {{description: any}}
  /upload:
    post:
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              properties: {{file: {{type: string, format: binary}}, note: {{type: string}}}}
              required: [file]
      responses:
        4XX: {{description: no}}
components:
  securitySchemes:
    key: {{type: apiKey, in: header, name: X-Key}}
    login: {{type: http, scheme: Basic}}
  schemas:
    Order:
      type: object
      required: [id]
      properties:
        id: {{type: integer, {example}}}
        note: {{{note}, maxLength: 5}}
        parent: {{$ref: "#/components/schemas/Order"}}
security: [{{key: []}}]
"##
    )
}

#[test]
fn every_version_gives_the_same_model() {
    let v3_0 =
        v3("3.0.3", "minimum: 1, exclusiveMinimum: true", "type: string, nullable: true", "example: 7");
    let v3_1 = v3("3.1.0", "exclusiveMinimum: 1", "type: [string, \"null\"]", "examples: [7]");
    let v3_2 = v3("3.2.0", "exclusiveMinimum: 1", "type: [string, \"null\"]", "examples: [7]");
    let oldest = api(V2);
    assert!(oldest.problems.is_empty(), "{:?}", oldest.problems);
    for text in [v3_0, v3_1, v3_2] {
        let newer = api(&text);
        assert_eq!(difference(&format!("{oldest:#?}"), &format!("{newer:#?}")), None);
    }
}

/// The first line that only one of two texts has; the order of lines counts for nothing, as that of keywords does.
fn difference(left: &str, right: &str) -> Option<(String, String)> {
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    let (left, right) = (sorted(left), sorted(right));
    assert_eq!(left.len(), right.len());
    left.into_iter().zip(right).find(|(left, right)| left != right)
}

#[test]
fn the_model_of_version_2_holds_everything_the_document_says() {
    let api = api(V2);
    assert_eq!(api.servers, ["https://shop.test/api"]);
    let names: Vec<String> = api.operations.iter().map(|operation| operation.id.to_string()).collect();
    assert_eq!(names, ["PUT /orders/{id}", "POST /upload"]);
    assert_eq!(api.definitions.keys().collect::<Vec<_>>(), ["Order"]);
    assert_eq!(api.definitions["Order"]["properties"]["parent"]["$ref"], "#/$defs/Order");
    assert_eq!(api.operations[0].security, Some(vec![vec!["login".to_owned()], vec![]]));
    assert_eq!(api.operations[1].security, Some(vec![vec!["key".to_owned()]]));
}
