//! One broken part never sinks the rest.

use crate::{api, only, problems};

#[test]
fn a_broken_operation_leaves_the_others() {
    let api = api("
openapi: 3.0.0
paths:
  /good: {get: {}, x-own: 1, summary: s}
  no-slash: {GET: {operationId: 5, tags: solo, summary: a, description: b}}
  /not-an-object: 5
  /missing: {$ref: '#/gone'}
  /null: {get: null}
  /text: {get: hello}
  /reference: {$ref: '#/paths/~1good', post: {}}
  /unknown: {query: {responses: {}}}
  x-own: {get: {}}");
    let names: Vec<String> = api.operations.iter().map(|operation| operation.id.to_string()).collect();
    assert_eq!(names, ["GET /good", "GET /no-slash", "POST /reference", "GET /reference"]);
    let skipped: Vec<&str> = api
        .problems
        .iter()
        .filter(|problem| problem.skipped_operation)
        .map(|problem| problem.place.as_str())
        .collect();
    assert_eq!(skipped, ["/not-an-object", "/missing", "QUERY /unknown", "GET /null", "GET /text"]);
    let odd = &api.operations[1];
    assert_eq!(odd.operation_id.as_deref(), Some("5"));
    assert_eq!((odd.tags.as_slice(), odd.summary.as_str()), (&["solo".to_owned()][..], "a b"));
}

#[test]
fn any_part_may_be_of_the_wrong_type() {
    let wrong =
        ["null", "5", "text", "[]", "[5]", "{}", "{a: 5}", "true", "[[]]", "{$ref: 5}", "{$ref: '#'}"];
    for wrong in wrong {
        let text = format!("
openapi: 3.0.0
info: {wrong}
servers: {wrong}
security: {wrong}
components:
  securitySchemes: {wrong}
  schemas: {wrong}
paths:
  /a: {{parameters: {wrong}, get: {{parameters: {wrong}, requestBody: {wrong}, responses: {wrong}, tags: {wrong}, security: {wrong}}}}}
  /b:
    post:
      parameters: [{{name: p, in: query, schema: {wrong}, style: {wrong}, explode: {wrong}, required: {wrong}, examples: {wrong}}}]
      requestBody: {{content: {wrong}}}
      responses: {{200: {wrong}, 201: {{content: {wrong}, headers: {wrong}, links: {wrong}}}}}
  /c:
    put:
      requestBody: {{content: {{application/json: {wrong}, text/xml: {{schema: {wrong}, encoding: {wrong}, examples: {wrong}}}}}}}
      responses: {{200: {{content: {{a/b: {wrong}}}, headers: {{h: {wrong}}}, links: {{l: {wrong}}}}}}}");
        let api = api(&text);
        assert_eq!(api.operations.len(), 3, "{wrong}");
        assert_eq!(api.operations[1].parameters.len(), 1, "{wrong}");
    }
}

#[test]
fn a_document_without_title_or_paths_loads() {
    let empty = api("openapi: 3.1.0");
    assert_eq!((empty.title.as_str(), empty.version.as_str()), ("test.yaml", ""));
    assert_eq!(problems(&empty), ["there are no `paths`, so there is nothing to call"]);
    let numbers = api("swagger: 2.0\ninfo: {title: 7, version: 1.0}\npaths: {/x: {get: {}}}");
    assert_eq!((numbers.title.as_str(), numbers.version.as_str()), ("7", "1.0"));
    assert_eq!(only(&numbers).responses.len(), 0);
}

#[test]
fn yaml_merge_keys_and_number_keys_work_where_they_are_used() {
    let api = api("
openapi: 3.0.0
x-errors: &errors
  400: {description: bad}
  404: {description: gone}
paths:
  /x: {get: {responses: {200: {}, <<: *errors}}}");
    assert_eq!(only(&api).responses.len(), 3);
}
