//! The bugs of the table in `src/bugs.rs`, one test each.

use serde_json::json;
use steady_model::Method;

use crate::visitor::{Visitor, body};

#[tokio::test]
async fn the_largest_order_fails() {
    let mut visitor = Visitor::new().await;
    let order = |quantity| json!({"productId": 1, "quantity": quantity});
    assert_eq!(visitor.post("/customers/1/orders", order(1000)).await.status, 500);
    assert_eq!(visitor.post("/customers/1/orders", order(999)).await.status, 201);
}

#[tokio::test]
async fn a_quote_in_a_search_fails() {
    let mut visitor = Visitor::new().await;
    assert_eq!(visitor.get("/customers?q=O%27Hara").await.status, 500);
    assert_eq!(visitor.get("/customers?q=O%22Hara").await.status, 200);
}

#[tokio::test]
async fn a_negative_limit_shows_a_stack_trace() {
    let mut visitor = Visitor::new().await;
    let response = visitor.get("/products?limit=-1").await;
    assert_eq!(response.status, 500);
    let text = String::from_utf8_lossy(response.body.as_bytes()).into_owned();
    assert!(text.contains("\tat shop.products.ProductController.list(ProductController.java:41)"), "{text}");
}

#[tokio::test]
async fn a_gold_customer_has_points_in_words() {
    let mut visitor = Visitor::new().await;
    for (target, deviations) in [("/customers/1", 1), ("/customers/2", 0)] {
        let response = visitor.get(target).await;
        let found = visitor.deviations(Method::Get, "/customers/{customerId}", &response);
        assert_eq!(found.len(), deviations, "{found:?}");
    }
}

#[tokio::test]
async fn a_paid_order_loses_its_total_and_a_second_payment_surprises() {
    let mut visitor = Visitor::new().await;
    let order = visitor.order().await;
    let payment = format!("/orders/{order}/payment");
    let card = json!({"cardNumber": "4111111111111111", "expiry": "09/31"});
    assert_eq!(visitor.post(&payment, card.clone()).await.status, 200);
    let paid = visitor.get(&format!("/orders/{order}")).await;
    let deviations = visitor.deviations(Method::Get, "/orders/{orderId}", &paid);
    assert_eq!(deviations, ["\"totalCents\" is a required property"]);
    let second = visitor.post(&payment, card).await;
    let deviations = visitor.deviations(Method::Post, "/orders/{orderId}/payment", &second);
    assert_eq!(deviations, ["status 402 is not documented"]);
}

#[tokio::test]
async fn a_negative_price_is_accepted_in_new_products_only() {
    let mut visitor = Visitor::new().await;
    let product = json!({"sku": "NEG-0001", "name": "Gift", "price": -1});
    assert_eq!(visitor.post("/products", product.clone()).await.status, 201);
    assert_eq!(visitor.call(Method::Put, "/products/1", Some(product)).await.status, 422);
    assert_eq!(visitor.call(Method::Patch, "/products/1", Some(json!({"price": -1}))).await.status, 422);
}

#[tokio::test]
async fn a_changed_email_address_may_be_anything() {
    let mut visitor = Visitor::new().await;
    let response = visitor.call(Method::Patch, "/customers/1", Some(json!({"email": "nowhere"}))).await;
    assert_eq!((response.status, &body(&response)["email"]), (200, &json!("nowhere")));
}

#[tokio::test]
async fn a_deleted_product_stays() {
    let mut visitor = Visitor::new().await;
    assert_eq!(visitor.call(Method::Delete, "/products/1", None).await.status, 204);
    assert_eq!(visitor.get("/products/1").await.status, 200);
}

#[tokio::test]
async fn replacing_a_product_twice_doubles_its_stock() {
    let mut visitor = Visitor::new().await;
    let created = visitor.post("/products", json!({"sku": "TWO-0002", "name": "Pair", "price": 2})).await;
    let target = created.header("location").unwrap().to_owned();
    let product = json!({"sku": "TWO-0002", "name": "Pair", "price": 2, "stock": 5});
    for stock in [5, 10] {
        let response = visitor.call(Method::Put, &target, Some(product.clone())).await;
        assert_eq!(body(&response)["stock"], stock);
    }
}

#[tokio::test]
async fn a_wrong_method_on_estimates_is_not_told_the_right_one() {
    let mut visitor = Visitor::new().await;
    let response = visitor.call(Method::Post, "/price/estimate", None).await;
    assert_eq!((response.status, response.header("allow")), (405, None));
}

#[tokio::test]
async fn nobody_is_told_how_to_log_in() {
    let mut visitor = Visitor::new().await;
    let response = visitor.get("/me").await;
    assert_eq!((response.status, response.header("www-authenticate")), (401, None));
}
