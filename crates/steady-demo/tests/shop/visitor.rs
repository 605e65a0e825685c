//! A client of a shop of its own, which knows the shop's document.

use serde_json::{Value, json};
use steady_demo::Shop;
use steady_http::{Channel, Client, ClientOptions, Redirects};
use steady_model::{Document, Method, Payload, Request, Response};

/// A shop, a connection to it and the shop's document.
pub struct Visitor {
    pub shop: Shop,
    pub document: Value,
    channel: Channel,
}

impl Visitor {
    pub async fn new() -> Self {
        Self::of(Shop::start().unwrap()).await
    }

    pub async fn seeded(seed: u64) -> Self {
        Self::of(Shop::seeded(seed).unwrap()).await
    }

    async fn of(shop: Shop) -> Self {
        let options = ClientOptions::default();
        let text = steady_http::get(&shop.openapi_url(), Redirects::Anywhere, &options).await.unwrap().text;
        let client = Client::new(shop.url().parse().unwrap(), ClientOptions::default()).unwrap();
        Self { shop, document: serde_json::from_str(&text).unwrap(), channel: client.channel() }
    }

    pub async fn get(&mut self, target: &str) -> Response {
        self.call(Method::Get, target, None).await
    }

    pub async fn post(&mut self, target: &str, body: Value) -> Response {
        self.call(Method::Post, target, Some(body)).await
    }

    pub async fn call(&mut self, method: Method, target: &str, body: Option<Value>) -> Response {
        let headers =
            body.iter().map(|_| ("content-type".to_owned(), "application/json".to_owned())).collect();
        let body = body.map(|body| Payload::Text(body.to_string().into()));
        self.send(Request { method, target: target.to_owned(), headers, body }).await
    }

    pub async fn send(&mut self, request: Request) -> Response {
        self.channel.send(&request).await.unwrap().0
    }

    /// A new customer's number.
    pub async fn customer(&mut self, email: &str) -> u64 {
        let response = self.post("/customers", json!({"name": "Eve Stone", "email": email})).await;
        assert_eq!(response.status, 201, "{response:?}");
        body(&response)["id"].as_u64().unwrap()
    }

    /// A new order's number.
    pub async fn order(&mut self) -> String {
        let response = self.post("/customers/1/orders", json!({"productId": 1, "quantity": 2})).await;
        assert_eq!(response.status, 201, "{response:?}");
        body(&response)["id"].as_str().unwrap().to_owned()
    }

    /// Where the response is not what the document says of this operation; empty when it is.
    pub fn deviations(&self, method: Method, path: &str, response: &Response) -> Vec<String> {
        let operation = &self.document["paths"][path][method.as_str().to_lowercase()];
        assert!(operation.is_object(), "{method} {path} is not in the document");
        let mut documented = &operation["responses"][response.status.to_string()];
        if let Some(reference) = documented["$ref"].as_str() {
            documented = self.document.pointer(reference.trim_start_matches('#')).unwrap();
        }
        if documented.is_null() {
            return vec![format!("status {} is not documented", response.status)];
        }
        let Some(content) = documented["content"].as_object() else {
            return if response.body.is_empty() { vec![] } else { vec!["there is a body".to_owned()] };
        };
        let Some(media) = response.media_type().and_then(|media_type| content.get(&media_type)) else {
            return vec![format!("content type {:?} is not documented", response.media_type())];
        };
        let mut schema = media["schema"].clone();
        schema["components"] = self.document["components"].clone();
        let validator = jsonschema::validator_for(&schema).unwrap();
        validator.iter_errors(&body(response)).map(|error| error.to_string()).collect()
    }
}

/// The JSON of a response.
pub fn body(response: &Response) -> Value {
    match response.document() {
        Document::Json(value) => value,
        other => panic!("no JSON: {other:?}"),
    }
}
