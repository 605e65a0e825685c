//! What customers, orders and sessions do over their life.

use serde_json::json;
use steady_model::{Method, Request};

use crate::visitor::{Visitor, body};

#[tokio::test]
async fn a_deleted_customer_is_gone_and_so_are_the_orders() {
    let mut visitor = Visitor::new().await;
    let order = visitor.order().await;
    assert_eq!(visitor.call(Method::Delete, "/customers/1", None).await.status, 204);
    for target in ["/customers/1", "/customers/1/orders", &format!("/orders/{order}")] {
        assert_eq!(visitor.get(target).await.status, 404, "{target}");
    }
}

#[tokio::test]
async fn a_cancelled_order_is_gone_and_a_paid_one_cannot_be_cancelled() {
    let mut visitor = Visitor::new().await;
    let (cancelled, paid) = (visitor.order().await, visitor.order().await);
    let card = json!({"cardNumber": "4111111111111111", "expiry": "12/40"});
    assert_eq!(visitor.post(&format!("/orders/{paid}/payment"), card).await.status, 200);
    assert_eq!(visitor.call(Method::Delete, &format!("/orders/{cancelled}"), None).await.status, 204);
    assert_eq!(visitor.get(&format!("/orders/{cancelled}")).await.status, 404);
    assert_eq!(visitor.call(Method::Delete, &format!("/orders/{paid}"), None).await.status, 409);
}

#[tokio::test]
async fn lists_are_filtered_sorted_and_cut() {
    let mut visitor = Visitor::new().await;
    let names = |response| {
        let list = body(&response);
        list["items"].as_array().unwrap().iter().map(|item| item["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(visitor.get("/customers?sort=-name&limit=2").await), ["Cleo Jones", "Ben Miller"]);
    assert_eq!(names(visitor.get("/customers?q=SMITH").await), ["Ada Smith"]);
    assert_eq!(names(visitor.get("/customers?tier=silver").await), ["Ben Miller"]);
    assert_eq!(names(visitor.get("/products?sort=-price&limit=1").await), ["Bookend"]);
    assert_eq!(names(visitor.get("/products?q=no%20such%20thing").await), Vec::<String>::new());
}

#[tokio::test]
async fn a_reset_shop_is_as_new() {
    let mut visitor = Visitor::new().await;
    let id = visitor.customer("eve@shop.test").await;
    assert_eq!(visitor.call(Method::Post, "/__reset", None).await.status, 204);
    assert_eq!(visitor.get(&format!("/customers/{id}")).await.status, 404);
    assert_eq!(body(&visitor.get("/customers").await)["total"], 3);
    assert_eq!(visitor.customer("eve@shop.test").await, id);
}

#[tokio::test]
async fn only_a_token_from_a_login_shows_the_account() {
    let mut visitor = Visitor::new().await;
    let login = visitor.post("/login", json!({"username": "demo", "password": "demo-password"})).await;
    let token = body(&login)["token"].as_str().unwrap().to_owned();
    for (authorization, status) in
        [(format!("Bearer {token}"), 200), (format!("Bearer {token}x"), 401), (token, 401)]
    {
        let headers = vec![("authorization".to_owned(), authorization)];
        let request = Request { method: Method::Get, target: "/me".into(), headers, body: None };
        assert_eq!(visitor.send(request).await.status, status);
    }
}

#[tokio::test]
async fn the_shop_forgets_the_oldest_of_too_many() {
    let mut visitor = Visitor::new().await;
    let first = visitor.customer("first@shop.test").await;
    for number in 0..500 {
        visitor.customer(&format!("guest{number}@shop.test")).await;
    }
    assert_eq!(body(&visitor.get("/customers").await)["total"], 500);
    assert_eq!(visitor.get(&format!("/customers/{}", first + 2)).await.status, 404);
    assert_eq!(visitor.get("/customers/1").await.status, 200);
}
