//! The shop does what its document says, bugs aside.

use serde_json::{Value, json};
use steady_model::{Method, Request, Response};

use crate::visitor::{Visitor, body};

/// Operations that answered with a 2xx, each of them as documented.
#[derive(Default)]
struct Checked(Vec<(Method, &'static str)>);

impl Checked {
    fn check(&mut self, visitor: &Visitor, method: Method, path: &'static str, response: &Response) {
        let deviations = visitor.deviations(method, path, response);
        assert!(deviations.is_empty(), "{method} {path}: {deviations:?} in {response:?}");
        assert!((200..300).contains(&response.status), "{method} {path}: {response:?}");
        self.0.push((method, path));
    }
}

/// Every operation with a good request: path template, target, body.
fn good_calls(customer: u64, order: &str) -> Vec<(Method, &'static str, String, Option<Value>)> {
    let product = json!({"sku": "ABC-1234", "name": "Globe", "price": 12.5, "tags": ["round", "blue"]});
    let person = json!({"name": "Fay", "email": "fay@shop.test", "birthDate": "1990-04-01",
        "address": {"street": "Main Street 1", "city": "Springfield", "zip": "12345"}});
    vec![
        (Method::Get, "/customers", "/customers?limit=2&q=a&tier=silver&sort=-name".into(), None),
        (Method::Post, "/customers", "/customers".into(), Some(person.clone())),
        (Method::Get, "/customers/{customerId}", format!("/customers/{customer}"), None),
        (Method::Put, "/customers/{customerId}", format!("/customers/{customer}"), {
            Some(json!({"name": "Fay II", "email": "second@shop.test", "birthDate": null}))
        }),
        (
            Method::Patch,
            "/customers/{customerId}",
            format!("/customers/{customer}"),
            Some(json!({"tier": "gold"})),
        ),
        (Method::Get, "/customers/{customerId}/orders", "/customers/1/orders".into(), None),
        (Method::Post, "/customers/{customerId}/orders", "/customers/1/orders".into(), {
            Some(json!({"productId": 2, "quantity": 999, "giftWrap": true, "note": "ring twice"}))
        }),
        (Method::Get, "/orders/{orderId}", format!("/orders/{order}"), None),
        (Method::Delete, "/orders/{orderId}", format!("/orders/{order}"), None),
        (Method::Get, "/products", "/products?limit=3&sort=-price".into(), None),
        (Method::Post, "/products", "/products".into(), Some(product.clone())),
        (Method::Get, "/products/{productId}", "/products/1".into(), None),
        (Method::Put, "/products/{productId}", "/products/6".into(), Some(product)),
        (Method::Patch, "/products/{productId}", "/products/1".into(), Some(json!({"stock": 3}))),
        (Method::Delete, "/products/{productId}", "/products/1".into(), None),
        (Method::Get, "/price/estimate", "/price/estimate?productId=1&quantity=3&country=FR".into(), None),
        (Method::Get, "/health", "/health".into(), None),
        (Method::Delete, "/customers/{customerId}", format!("/customers/{customer}"), None),
    ]
}

#[tokio::test]
async fn every_operation_of_the_document_answers_a_good_request_as_documented() {
    let mut visitor = Visitor::new().await;
    let mut checked = Checked::default();
    let (customer, order) = (visitor.customer("eve@shop.test").await, visitor.order().await);
    for (method, path, target, body) in good_calls(customer, &order) {
        let response = visitor.call(method, &target, body).await;
        checked.check(&visitor, method, path, &response);
    }

    let paid = visitor.order().await;
    let card = json!({"cardNumber": "4111111111111111", "expiry": "09/31"});
    let response = visitor.post(&format!("/orders/{paid}/payment"), card).await;
    checked.check(&visitor, Method::Post, "/orders/{orderId}/payment", &response);

    let login = visitor.post("/login", json!({"username": "demo", "password": "demo-password"})).await;
    checked.check(&visitor, Method::Post, "/login", &login);
    let authorization = format!("Bearer {}", body(&login)["token"].as_str().unwrap());
    let headers = vec![("authorization".to_owned(), authorization)];
    let me = visitor.send(Request { method: Method::Get, target: "/me".into(), headers, body: None }).await;
    checked.check(&visitor, Method::Get, "/me", &me);

    for (path, item) in visitor.document["paths"].as_object().unwrap() {
        for method in
            Method::ALL.into_iter().filter(|method| item.get(method.as_str().to_lowercase()).is_some())
        {
            assert!(checked.0.contains(&(method, path.as_str())), "{method} {path} was not called");
        }
    }
}

#[tokio::test]
async fn created_things_are_where_the_location_says() {
    let mut visitor = Visitor::new().await;
    let table = [
        ("/customers", json!({"name": "Gus", "email": "gus@shop.test"})),
        ("/products", json!({"sku": "XYZ-0001", "name": "Map", "price": 1})),
        ("/customers/2/orders", json!({"productId": 1, "quantity": 1})),
    ];
    for (target, request) in table {
        let created = visitor.post(target, request).await;
        let location = created.header("location").unwrap().to_owned();
        assert_eq!(body(&visitor.get(&location).await)["id"], body(&created)["id"], "{location}");
    }
}
