//! Responses: which statuses, bodies, headers and links.

use serde_json::json;
use steady_openapi::{MediaType, StatusPattern};

use crate::{api, only, problems};

#[test]
fn statuses_are_exact_classes_or_the_default() {
    let api = api("
openapi: 3.0.0
paths: {/x: {get: {responses: {200: {}, '201': {}, 4XX: {}, 5xx: {}, default: {}, 0: {}, 2000: {}, ok: {}, x-own: {}}}}}");
    let statuses: Vec<StatusPattern> = only(&api).responses.iter().map(|response| response.status).collect();
    assert_eq!(
        statuses,
        [
            StatusPattern::Exact(200),
            StatusPattern::Exact(201),
            StatusPattern::Class(4),
            StatusPattern::Class(5),
            StatusPattern::Default,
        ]
    );
    assert_eq!(
        problems(&api),
        [
            "response `0` is left out: it is not a status code",
            "response `2000` is left out: it is not a status code",
            "response `ok` is left out: it is not a status code",
        ]
    );
    let described = |status| only(&api).response(status).map(|response| response.status);
    assert_eq!(described(200), Some(StatusPattern::Exact(200)));
    assert_eq!(described(404), Some(StatusPattern::Class(4)));
    assert_eq!(described(302), Some(StatusPattern::Default));
}

#[test]
fn version_2_responses_come_in_what_the_operation_produces() {
    for (produces, expected) in
        [("", &["*/*"][..]), ("produces: [application/json, text/csv]", &["application/json", "text/csv"])]
    {
        let api = api(&format!(
            "
swagger: '2.0'
{produces}
paths:
  /x:
    get:
      responses:
        200: {{schema: {{type: file}}, examples: {{application/json: {{a: 1}}}}}}
        204: {{description: nothing}}"
        ));
        let content = &only(&api).responses[0].content;
        assert_eq!(content.iter().map(|media_type| media_type.name.as_str()).collect::<Vec<_>>(), expected);
        assert_eq!(*content[0].schema.as_ref().unwrap().0, json!({"type": "string", "format": "binary"}));
        let examples: Vec<_> = content.iter().flat_map(|MediaType { examples, .. }| examples).collect();
        assert_eq!(examples.len(), usize::from(!produces.is_empty()));
        assert!(only(&api).responses[1].content.is_empty());
    }
}

#[test]
fn headers_have_lower_case_names_and_schemas() {
    let api = api("
openapi: 3.0.0
paths:
  /x:
    get:
      responses:
        200:
          headers:
            X-Rate: {required: true, schema: {type: integer}}
            X-Old: {type: string}
            X-Shared: {$ref: '#/components/headers/h'}
            Content-Type: {schema: {type: string}}
            X-Gone: {$ref: '#/components/headers/gone'}
components: {headers: {h: {schema: {type: boolean}}}}");
    let headers = &only(&api).responses[0].headers;
    let seen: Vec<(&str, bool, serde_json::Value)> = headers
        .iter()
        .map(|header| (header.name.as_str(), header.required, (*header.schema.as_ref().unwrap().0).clone()))
        .collect();
    assert_eq!(
        seen,
        [
            ("x-rate", true, json!({"type": "integer"})),
            ("x-old", false, json!({"type": "string"})),
            ("x-shared", false, json!({"type": "boolean"})),
        ]
    );
    assert_eq!(api.problems.len(), 1);
}

#[test]
fn links_lead_to_operations_by_id_and_by_reference() {
    let api = api("
openapi: 3.0.0
paths:
  /users:
    post:
      responses:
        201:
          links:
            byId: {operationId: getUser, parameters: {id: $response.body#/id}}
            byRef: {operationRef: '#/paths/~1users~1{id}/get', parameters: {path.id: $response.header.location}, requestBody: 5}
            shared: {$ref: '#/components/links/l'}
            nowhere: {operationId: gone}
            elsewhere: {operationRef: 'other.yaml#/paths/~1x/get'}
            empty: {}
  /users/{id}:
    get: {operationId: getUser, parameters: [{name: id, in: path}]}
components: {links: {l: {operationId: getUser}}}");
    let links = &api.operations[0].responses[0].links;
    assert_eq!(links.iter().map(|link| link.name.as_str()).collect::<Vec<_>>(), ["byId", "byRef", "shared"]);
    assert!(links.iter().all(|link| link.target.to_string() == "GET /users/{id}"));
    assert_eq!(links[0].parameters["id"], "$response.body#/id");
    assert_eq!(links[1].parameters["path.id"], "$response.header.location");
    assert_eq!(links[1].request_body, Some(json!(5)));
    assert_eq!(api.problems.len(), 3);
}
