//! Postman collections (v2.1): the saved examples of their requests.

use bytes::Bytes;
use serde::Deserialize;
use serde_json::Value;

use super::{RecordedExchange, document};
use crate::mapping::MappingError;

#[derive(Deserialize)]
struct Collection {
    #[serde(default)]
    item: Vec<Item>,
}

/// A folder, or a request with its examples.
#[derive(Deserialize)]
struct Item {
    #[serde(default)]
    item: Vec<Item>,
    request: Option<PostmanRequest>,
    #[serde(default)]
    response: Vec<Example>,
}

/// A request is an object, or its address alone.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum PostmanRequest {
    Address(String),
    Whole {
        #[serde(default = "get")]
        method: String,
        url: Value,
        body: Option<PostmanBody>,
    },
}

#[derive(Clone, Deserialize)]
struct PostmanBody {
    raw: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Example {
    original_request: Option<PostmanRequest>,
    code: Option<u16>,
    #[serde(default)]
    header: Option<Vec<PostmanHeader>>,
    body: Option<String>,
}

#[derive(Deserialize)]
struct PostmanHeader {
    key: String,
    #[serde(default)]
    value: String,
}

fn get() -> String {
    "GET".to_owned()
}

/// The saved examples of a collection. The host, mostly a variable, is left out; variables in the path stand for any segment.
pub fn postman(text: &str, origin: &str) -> Result<Vec<RecordedExchange>, MappingError> {
    let collection: Collection = document(text, origin)?;
    let mut exchanges = Vec::new();
    collect(collection.item, &mut exchanges);
    Ok(exchanges)
}

/// The reader bounds how deep folders are.
fn collect(items: Vec<Item>, exchanges: &mut Vec<RecordedExchange>) {
    for item in items {
        collect(item.item, exchanges);
        for example in item.response {
            exchanges.extend(exchange(example, item.request.as_ref()));
        }
    }
}

fn exchange(example: Example, request: Option<&PostmanRequest>) -> Option<RecordedExchange> {
    let request = example.original_request.as_ref().or(request)?;
    let (method, address, body) = match request {
        PostmanRequest::Address(address) => (get(), address.clone(), None),
        PostmanRequest::Whole { method, url, body } => {
            let raw = url.as_str().or_else(|| url.get("raw")?.as_str())?;
            (method.clone(), raw.to_owned(), body.as_ref().and_then(|body| body.raw.clone()))
        }
    };
    let headers = example.header.unwrap_or_default().into_iter().map(|header| (header.key, header.value));
    Some(RecordedExchange {
        method,
        origin: None,
        target: target(&address),
        request_body: body.filter(|body| !body.contains("{{")).map(Bytes::from),
        status: example.code.filter(|code| (100..=999).contains(code)).unwrap_or(200),
        headers: headers.collect(),
        body: Bytes::from(example.body.unwrap_or_default()),
    })
}

/// `{{base}}/pets/:id/{{toy}}?q=1` as a path template or an address.
fn target(address: &str) -> String {
    let after_scheme = address.split_once("://").map_or(address, |(_, rest)| rest);
    let path = after_scheme.find('/').map_or("/", |slash| &after_scheme[slash..]);
    let (path, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
    let segment = |segment: &str| match segment.strip_prefix(':') {
        Some(name) => format!("{{{name}}}"),
        None => segment.replace("{{", "{").replace("}}", "}"),
    };
    let path = path.split('/').map(segment).collect::<Vec<_>>().join("/");
    // The parameters of a template, and those with variables, can be anything.
    match query.filter(|query| !path.contains('{') && !query.contains("{{")) {
        Some(query) => format!("{path}?{query}"),
        None => path,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::import::mappings_of;

    #[test]
    fn saved_examples_become_stubs() {
        let collection = json!({
            "info": {"name": "shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
            "item": [{"name": "folder", "item": [{
                "name": "a pet",
                "request": {"method": "GET", "url": {"raw": "{{base}}/pets/:id?x={{x}}", "path": ["pets", ":id"]}},
                "response": [{"name": "found", "code": 200, "header": [{"key": "Content-Type", "value": "application/json"}], "body": "{}"}],
            }]},
            {"request": "http://shop.test/plain?q=1", "response": [{"code": 204, "header": null}]},
            {"name": "without examples", "request": "http://shop.test/none"}],
        });
        let mappings = mappings_of(&postman(&collection.to_string(), "c.json").unwrap());
        assert_eq!(
            serde_json::to_value(mappings).unwrap(),
            json!([
                {"name": "GET /pets/{id}", "request": {"method": "GET", "urlPathTemplate": "/pets/{id}"},
                 "response": {"status": 200, "headers": {"Content-Type": "application/json"}, "body": "{}"}},
                {"name": "GET /plain?q=1", "request": {"method": "GET", "url": "/plain?q=1"}, "response": {"status": 204}},
            ])
        );
    }
}
