//! What differs between two answers to the same request, and what only looks as if it might.

use serde_json::{Value, json};
use steady_model::Response;

use crate::visitor::{Visitor, body};

/// Asks twice.
async fn twice(visitor: &mut Visitor, target: &str) -> (Response, Response) {
    (visitor.get(target).await, visitor.get(target).await)
}

/// The properties that differ.
fn differing(first: &Value, second: &Value) -> Vec<String> {
    let keys = first.as_object().unwrap().keys();
    keys.filter(|key| first[key.as_str()] != second[key.as_str()]).cloned().collect()
}

#[tokio::test]
async fn an_estimate_varies_and_its_total_is_base_and_jitter() {
    let mut visitor = Visitor::new().await;
    let mut jitters = Vec::new();
    for _ in 0..20 {
        let estimate = body(&visitor.get("/price/estimate?productId=1&quantity=3").await);
        let cents = |name: &str| estimate[name].as_i64().unwrap();
        assert_eq!((cents("base"), cents("total")), (2850, 2850 + cents("jitter")));
        jitters.push(cents("jitter"));
    }
    assert!(jitters.iter().any(|jitter| *jitter != jitters[0]), "{jitters:?}");
}

#[tokio::test]
async fn a_list_differs_only_in_its_envelope() {
    let mut visitor = Visitor::new().await;
    let (first, second) = twice(&mut visitor, "/customers").await;
    assert_eq!(differing(&body(&first), &body(&second)), ["requestId", "generatedAt"]);
    assert_ne!(first.header("x-request-id"), second.header("x-request-id"));
}

#[tokio::test]
async fn tags_come_in_any_order() {
    let mut visitor = Visitor::new().await;
    let mut orders = Vec::new();
    for _ in 0..40 {
        let product = body(&visitor.get("/products/1").await);
        let tags = product["tags"].as_array().unwrap().clone();
        assert_eq!(tags.len(), 3);
        orders.push(tags);
    }
    assert!(orders.iter().any(|order| *order != orders[0]), "{orders:?}");
}

#[tokio::test]
async fn two_shops_agree_on_what_only_looks_volatile() {
    let (mut here, mut there) = (Visitor::new().await, Visitor::new().await);
    let (first, second) = (body(&here.get("/health").await), body(&there.get("/health").await));
    for name in ["releaseDate", "tenantId", "version"] {
        assert_eq!(first[name], second[name], "{name}");
    }
    assert_ne!(first["instance"], second["instance"]);
    let (first, second) = (here.get("/products/1").await, there.get("/products/1").await);
    assert_ne!(first.header("etag"), second.header("etag"));
    assert_eq!(body(&first)["releaseDate"], "2024-03-15");
}

#[tokio::test]
async fn tokens_are_never_the_same() {
    let mut visitor = Visitor::new().await;
    let credentials = json!({"username": "demo", "password": "demo-password"});
    let (first, second) =
        (visitor.post("/login", credentials.clone()).await, visitor.post("/login", credentials).await);
    assert_eq!(differing(&body(&first), &body(&second)), ["token"]);
    assert_ne!(first.header("set-cookie"), second.header("set-cookie"));
    assert_eq!(body(&first)["token"].as_str().unwrap().split('.').count(), 3);
}
