//! What the shop refuses, and how.

use serde_json::{Value, json};
use steady_model::{Method, Payload, Request};

use crate::visitor::{Visitor, body};

#[tokio::test]
async fn bad_requests_are_refused_with_a_documented_problem() {
    let mut visitor = Visitor::new().await;
    let order = "/orders/00000000-0000-4000-8000-000000000000";
    let table: &[(Method, &str, &str, u16)] = &[
        (Method::Get, "/customers", "/customers?limit=0", 400),
        (Method::Get, "/customers", "/customers?limit=-1", 400),
        (Method::Get, "/customers", "/customers?limit=101", 400),
        (Method::Get, "/customers", "/customers?limit=ten", 400),
        (Method::Get, "/customers", "/customers?sort=age", 400),
        (Method::Get, "/customers", "/customers?tier=iron", 400),
        (Method::Get, "/products", "/products?limit=0", 400),
        (Method::Get, "/products", "/products?sort=name", 400),
        (Method::Get, "/customers/{customerId}", "/customers/zero", 400),
        (Method::Get, "/customers/{customerId}", "/customers/0", 400),
        (Method::Get, "/customers/{customerId}", "/customers/99999", 404),
        (Method::Delete, "/customers/{customerId}", "/customers/99999", 404),
        (Method::Delete, "/products/{productId}", "/products/99999", 404),
        (Method::Get, "/customers/{customerId}/orders", "/customers/99999/orders", 404),
        (Method::Get, "/orders/{orderId}", "/orders/17", 400),
        (Method::Get, "/orders/{orderId}", order, 404),
        (Method::Delete, "/orders/{orderId}", order, 404),
        (Method::Get, "/price/estimate", "/price/estimate", 400),
        (Method::Get, "/price/estimate", "/price/estimate?productId=1&quantity=0", 400),
        (Method::Get, "/price/estimate", "/price/estimate?productId=1&quantity=1&country=XX", 400),
        (Method::Get, "/price/estimate", "/price/estimate?productId=999&quantity=1", 404),
        (Method::Post, "/customers", "/customers", 415),
    ];
    for (method, path, target, status) in table {
        let response = visitor.call(*method, target, None).await;
        assert_eq!(response.status, *status, "{method} {target}");
        assert_eq!(visitor.deviations(*method, path, &response), Vec::<String>::new(), "{method} {target}");
    }
}

#[tokio::test]
async fn invalid_bodies_are_refused_and_the_property_is_named() {
    let mut visitor = Visitor::new().await;
    let customer = |name: &str, value: Value| {
        let mut body = json!({"name": "Hal", "email": "hal@shop.test"});
        body[name] = value;
        ("/customers", name.to_owned(), body)
    };
    let product = |name: &str, value: Value| {
        let mut body = json!({"sku": "ABC-1234", "name": "Cup", "price": 3});
        body[name] = value;
        ("/products", name.to_owned(), body)
    };
    let order = |name: &str, value: Value| {
        let mut body = json!({"productId": 1, "quantity": 1});
        body[name] = value;
        ("/customers/1/orders", name.to_owned(), body)
    };
    let table = [
        customer("name", json!("")),
        customer("name", json!("x".repeat(81))),
        customer("name", json!(7)),
        customer("email", json!("hal")),
        customer("email", Value::Null),
        customer("tier", json!("iron")),
        customer("birthDate", json!("1990-13-01")),
        customer("address", json!({"street": "a", "city": "b", "zip": "123"})),
        customer("address", json!({"street": "a", "city": "b"})),
        customer("nickname", json!("H")),
        product("sku", json!("abc-1234")),
        product("price", json!(100_001)),
        product("price", json!("3")),
        product("currency", json!("JPY")),
        product("stock", json!(-1)),
        product("stock", json!(1.5)),
        product("tags", json!(["a", "a"])),
        product("tags", json!(["", "a"])),
        product("tags", json!(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"])),
        order("productId", json!(99_999)),
        order("quantity", json!(0)),
        order("quantity", json!(1001)),
        order("giftWrap", json!("yes")),
        order("note", json!("x".repeat(201))),
    ];
    for (target, field, request) in table {
        let response = visitor.post(target, request.clone()).await;
        assert_eq!(response.status, 422, "{target} {request}");
        assert_eq!(body(&response)["errors"][0]["field"], field, "{target} {request}");
    }
}

#[tokio::test]
async fn what_is_unique_cannot_be_had_twice() {
    let mut visitor = Visitor::new().await;
    let taken = json!({"name": "Ada II", "email": "ada.smith@shop.test"});
    assert_eq!(visitor.post("/customers", taken.clone()).await.status, 409);
    assert_eq!(visitor.call(Method::Put, "/customers/2", Some(taken.clone())).await.status, 409);
    assert_eq!(visitor.call(Method::Put, "/customers/1", Some(taken)).await.status, 200);
    let taken = json!({"sku": "SHP-0001", "name": "Copy", "price": 1});
    assert_eq!(visitor.post("/products", taken).await.status, 409);
}

#[tokio::test]
async fn more_than_there_is_cannot_be_ordered() {
    let mut visitor = Visitor::new().await;
    visitor.call(Method::Patch, "/products/1", Some(json!({"stock": 2}))).await;
    let order = |quantity| json!({"productId": 1, "quantity": quantity});
    assert_eq!(visitor.post("/customers/1/orders", order(3)).await.status, 409);
    assert_eq!(visitor.post("/customers/1/orders", order(2)).await.status, 201);
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_refused() {
    let mut visitor = Visitor::new().await;
    let huge = format!("\"{}\"", "x".repeat(100_000));
    for (text, status) in [("{", 400), ("", 400), ("[]", 422), (huge.as_str(), 400)] {
        let headers = vec![("content-type".to_owned(), "application/json; charset=utf-8".to_owned())];
        let body = Some(Payload::Text(text.into()));
        let request = Request { method: Method::Post, target: "/customers".into(), headers, body };
        assert_eq!(visitor.send(request).await.status, status, "{text:.10}");
    }
}

#[tokio::test]
async fn a_wrong_method_is_told_the_right_ones() {
    let mut visitor = Visitor::new().await;
    let response = visitor.call(Method::Delete, "/customers", None).await;
    assert_eq!((response.status, response.header("allow")), (405, Some("GET, HEAD, POST, OPTIONS")));
    let response = visitor.call(Method::Options, "/orders/1", None).await;
    assert_eq!((response.status, response.header("allow")), (204, Some("GET, HEAD, DELETE, OPTIONS")));
    assert_eq!(visitor.get("/customers/1/orders/2").await.status, 404);
    assert_eq!(visitor.get("/nothing").await.status, 404);
}

#[tokio::test]
async fn a_wrong_password_is_told_how_to_log_in() {
    let mut visitor = Visitor::new().await;
    let response = visitor.post("/login", json!({"username": "demo", "password": "guess"})).await;
    assert_eq!((response.status, response.header("www-authenticate")), (401, Some("Bearer realm=\"shop\"")));
}
