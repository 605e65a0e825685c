//! OpenAPI documents: an answer per operation, made from examples and schemas.

use serde_json::Value;
use steady_openapi::{Api, MediaType, Operation, ResponseSpec, StatusPattern};
use url::Url;

use super::example;
use crate::mapping::{
    HeaderValues, Mapping, Matcher, ParsePatternError, RequestPattern, ResponseDefinition, UrlMatch,
};

/// A stub per operation: its first successful answer, with a body from an example or the schema. A host in the document's first server
/// is the stubs' host.
pub fn openapi(api: &Api) -> Result<Vec<Mapping>, ParsePatternError> {
    let server = api.servers.first().map_or("", String::as_str);
    let origin = Url::parse(server).ok();
    let base = origin.as_ref().map_or(server, Url::path).trim_end_matches('/').to_owned();
    let stub = |operation: &Operation| {
        let path = format!("{base}{}", operation.id.path);
        let url = if path.contains('{') { UrlMatch::template(&path)? } else { UrlMatch::UrlPath(path) };
        let request = RequestPattern {
            method: Some(operation.id.method.to_string()),
            url,
            host: origin.as_ref().and_then(Url::host_str).map(Matcher::equal_to),
            ..RequestPattern::default()
        };
        let name = operation.operation_id.clone().unwrap_or_else(|| operation.id.to_string());
        Ok(Mapping { name: Some(name), ..Mapping::new(request, answer(api, operation)) })
    };
    api.operations.iter().map(stub).collect()
}

fn answer(api: &Api, operation: &Operation) -> ResponseDefinition {
    let Some((status, spec)) = success(operation) else { return ResponseDefinition::with_status(200) };
    let mut answer = ResponseDefinition::with_status(status);
    let is_json = |media: &&MediaType| media.name.contains("json");
    let Some(media) = spec.content.iter().find(is_json).or(spec.content.first()) else { return answer };
    answer.headers.insert("Content-Type".to_owned(), HeaderValues::one(media.name.replace('*', "plain")));
    let value = media
        .examples
        .first()
        .cloned()
        .or_else(|| Some(example(&media.schema.as_ref()?.0, &api.definitions)));
    match value {
        Some(value) if is_json(&media) => answer.json_body = Some(value),
        Some(Value::String(text)) => answer.body = Some(text),
        Some(other) => answer.body = Some(other.to_string()),
        None => {}
    }
    answer
}

/// The lowest successful answer; otherwise the default one, or the first.
fn success(operation: &Operation) -> Option<(u16, &ResponseSpec)> {
    let status = |spec: &ResponseSpec| match spec.status {
        StatusPattern::Exact(status) => status,
        StatusPattern::Class(class) => class * 100,
        StatusPattern::Default => 200,
    };
    let good = operation.responses.iter().filter(|spec| (200..300).contains(&status(spec)));
    let exact_first = |spec: &&ResponseSpec| (spec.status == StatusPattern::Default, status(spec));
    let found = good.min_by_key(exact_first).or(operation.responses.first())?;
    Some((status(found), found))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_operation_has_an_answer() {
        let document = "
openapi: 3.0.3
servers: [{url: 'https://pets.test/v1/'}]
paths:
  /pets/{id}:
    get:
      operationId: getPet
      responses:
        default: {description: error}
        200: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
    delete: {responses: {204: {description: gone}}}
  /pets:
    get: {responses: {200: {content: {application/json: {example: [1, 2]}}}}}
components:
  schemas:
    Pet:
      type: object
      required: [name]
      properties: {name: {type: string, example: Tom}, friend: {$ref: '#/components/schemas/Pet'}}
";
        let api = steady_openapi::parse(document, "pets.yaml").unwrap();
        let mappings = serde_json::to_value(openapi(&api).unwrap()).unwrap();
        assert_eq!(
            mappings[0],
            json!({
                "name": "getPet",
                "request": {"method": "GET", "urlPathTemplate": "/v1/pets/{id}", "host": {"equalTo": "pets.test"}},
                "response": {"status": 200, "headers": {"Content-Type": "application/json"}, "jsonBody": {"name": "Tom"}},
            })
        );
        assert_eq!(mappings[1]["response"], json!({"status": 204}));
        assert_eq!(mappings[2]["response"]["jsonBody"], json!([1, 2]));
        assert_eq!(mappings[2]["request"]["urlPath"], "/v1/pets");
    }
}
