//! The OpenAPI document, made from what the routes answer.

use serde_json::{Map, Value, json};

use super::answer::{Answer, Body};
use super::route::{Request, Route};
use super::{RouteRequest, World};

/// The document of some routes.
pub(crate) fn document(routes: &[&'static Route]) -> Value {
    // The routes without a mutant.
    let mut world = World::new(0, None);
    let mut paths = Map::new();
    for route in routes {
        let (method, path) = route.target();
        let item = paths.entry(path).or_insert_with(|| json!({}));
        item[method.to_lowercase()] = operation(route, &mut world);
    }
    json!({
        "openapi": "3.0.3",
        "info": {"title": "Catalogue of flaky behaviours", "version": "1.0.0"},
        "paths": paths,
    })
}

fn operation(route: &Route, world: &mut World) -> Value {
    let (method, path) = route.target();
    let id: String =
        format!("{method}{path}").chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let mut operation = json!({"operationId": id.to_lowercase(), "responses": {}});
    if !route.parameters.is_empty() {
        operation["parameters"] = route.parameters.iter().map(|given| parameter(path, given)).collect();
    }
    if let Some(request) = &route.body {
        operation["requestBody"] = request_body(request);
    }
    for call in samples(route) {
        let answer = (route.answer)(world, &call);
        operation["responses"][answer.status.to_string()] = response(&answer, route.hints);
    }
    operation
}

/// Calls that between them get every answer that has a label or a body.
fn samples(route: &Route) -> Vec<RouteRequest> {
    let parameters =
        route.parameters.iter().map(|(name, _, example)| ((*name).to_owned(), (*example).to_owned()));
    let bodies = route.body.map_or_else(Vec::new, |request| [Some(request.example), request.broken].into());
    let read = |text: &str| serde_json::from_str(text).unwrap_or_default();
    let mut samples = vec![RouteRequest {
        parameters: parameters.collect(),
        body: bodies.first().copied().flatten().map(read).unwrap_or_default(),
    }];
    // The same again: what is refused the second time has an answer of its own.
    samples.push(RouteRequest { parameters: samples[0].parameters.clone(), body: samples[0].body.clone() });
    samples.extend(
        bodies
            .into_iter()
            .skip(1)
            .flatten()
            .map(|text| RouteRequest { body: read(text), ..RouteRequest::default() }),
    );
    if !route.parameters.is_empty() {
        samples.push(RouteRequest::default());
    }
    samples
}

fn parameter(path: &str, (name, kind, example): &(&str, &str, &str)) -> Value {
    let place = if path.contains(&format!("{{{name}}}")) { "path" } else { "query" };
    let example = serde_json::from_str(example).unwrap_or_else(|_| json!(example));
    let schema = json!({"type": kind, "minimum": 0, "maximum": 1_000_000});
    json!({"name": name, "in": place, "required": true, "schema": schema, "example": example})
}

fn request_body(request: &Request) -> Value {
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    let mut content = json!({"schema": read(request.schema), "example": read(request.example)});
    if let Some(broken) = request.broken {
        content["x-refused"] = read(broken);
    }
    json!({"required": true, "content": {"application/json": content}})
}

fn response(answer: &Answer, hints: &[(&str, &str)]) -> Value {
    let mut response = json!({"description": format!("Answer {}", answer.status)});
    let (kind, mut schema) = match &answer.body {
        Body::None => return response,
        Body::Text(_) => ("text/plain", json!({"type": "string"})),
        Body::Json(body) => ("application/json", schema(body)),
    };
    for (field, hint) in hints {
        if let (Some(described), Ok(Value::Object(hint))) =
            (schema["properties"].get_mut(*field).and_then(Value::as_object_mut), serde_json::from_str(hint))
        {
            described.extend(hint);
        }
    }
    response["content"] = json!({kind: {"schema": schema}});
    for (name, _) in &answer.headers {
        response["headers"][*name] = json!({"schema": {"type": "string"}});
    }
    response
}

/// What a value is, without its values.
fn schema(value: &Value) -> Value {
    match value {
        Value::Null => json!({}),
        Value::Bool(_) => json!({"type": "boolean"}),
        Value::Number(number) if number.is_f64() => json!({"type": "number"}),
        Value::Number(_) => json!({"type": "integer"}),
        Value::String(_) => json!({"type": "string"}),
        Value::Array(items) => {
            json!({"type": "array", "items": items.first().map_or_else(|| json!({}), schema)})
        }
        Value::Object(fields) => {
            let properties: Map<String, Value> =
                fields.iter().map(|(name, value)| (name.clone(), schema(value))).collect();
            let required: Vec<&String> = fields.keys().collect();
            json!({"type": "object", "required": required, "properties": properties})
        }
    }
}
