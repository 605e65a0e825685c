//! The shop's bugs. All of them are here, on purpose, and strike every time.
//!
//! | function | how to meet it | what goes wrong | fault |
//! |---|---|---|---|
//! | [`largest_order`] | `POST /customers/{customerId}/orders` with `quantity` 1000 | 500 on the largest valid value | F100 |
//! | [`quote_in_search`] | `GET /customers` with a `'` in `q` | 500 out of the database | F100 |
//! | [`negative_limit`] | `GET /products` with a `limit` below zero | 500 with a stack trace in it | F100, F209 |
//! | [`points_as_text`] | `GET /customers/{customerId}` of a gold customer | `loyaltyPoints` is a string | F101 |
//! | [`paid_order_without_total`] | `GET /orders/{orderId}` of a paid order | required `totalCents` is missing | F101 |
//! | [`second_payment`] | `POST /orders/{orderId}/payment` once more | status 402 is not documented | F101 |
//! | [`LEAST_PRICE_OF_NEW_PRODUCTS`] | `POST /products` with a `price` below zero | is accepted | F102 |
//! | [`any_email`] | `PATCH /customers/{customerId}` with an `email` that is none | is accepted | F102 |
//! | [`delete_product`] | `DELETE /products/{productId}` | 204, and the product stays | semantics |
//! | [`stock_after_replacement`] | `PUT /products/{productId}` twice | the stock is added up | semantics |
//! | [`method_not_allowed_without_allow`] | any other method on `/price/estimate` | 405 without `Allow` | semantics |
//! | [`unauthorized_without_challenge`] | `GET /me` without a token | 401 without `WWW-Authenticate` | semantics |

use hyper::StatusCode;
use serde_json::{Value, json};

use crate::answer::{self, Answer};
use crate::call::ShopRequest;
use crate::customers::Customer;
use crate::orders::{MAX_QUANTITY, Order, Status};
use crate::store::Store;
use crate::volatile::Volatile;

/// The lower limit of `POST /products` was forgotten.
pub(crate) const LEAST_PRICE_OF_NEW_PRODUCTS: f64 = f64::NEG_INFINITY;

/// Fails on the largest order that is allowed.
pub(crate) fn largest_order(quantity: i64) -> Option<Answer> {
    let body = json!({"error": "Internal Server Error", "message": "index out of range: shelf 1000 of 1000"});
    (quantity == MAX_QUANTITY).then(|| answer::json(StatusCode::INTERNAL_SERVER_ERROR, &body))
}

/// Fails on a quote, which ends up in a query of the database.
pub(crate) fn quote_in_search(search: Option<&str>) -> Option<Answer> {
    let body =
        json!({"error": "Internal Server Error", "message": "unterminated quoted string at or near \"'\""});
    search?.contains('\'').then(|| answer::json(StatusCode::INTERNAL_SERVER_ERROR, &body))
}

/// Fails on a negative limit and shows where, as a forgotten debug setting does.
pub(crate) fn negative_limit(call: &ShopRequest, volatile: &Volatile) -> Option<Answer> {
    let limit = call.query("limit")?.parse::<i64>().ok().filter(|limit| *limit < 0)?;
    let connection = volatile.object("shop.store.Connection");
    let trace = format!(
        "java.lang.IllegalArgumentException: fromIndex(0) > toIndex({limit})\n\
         \tat java.base/java.util.AbstractList.subListRangeCheck(AbstractList.java:509)\n\
         \tat shop.products.ProductRepository.page(ProductRepository.java:88) [{connection}]\n\
         \tat shop.products.ProductController.list(ProductController.java:41)\n"
    );
    Some(answer::typed(StatusCode::INTERNAL_SERVER_ERROR, "text/plain", trace))
}

/// Writes the points of gold customers as a string.
pub(crate) fn points_as_text(customer: &Customer) -> Option<Answer> {
    if customer.profile.tier != "gold" {
        return None;
    }
    let mut body = serde_json::to_value(customer).ok()?;
    body["loyaltyPoints"] = Value::String(customer.loyalty_points.to_string());
    Some(answer::json(StatusCode::OK, &body))
}

/// Leaves the total of paid orders out.
pub(crate) fn paid_order_without_total(order: &Order) -> Option<Answer> {
    if order.status != Status::Paid {
        return None;
    }
    let mut body = serde_json::to_value(order).ok()?;
    body.as_object_mut()?.shift_remove("totalCents");
    Some(answer::json(StatusCode::OK, &body))
}

/// Answers a second payment with a status that the document does not know.
pub(crate) fn second_payment(order: &Order) -> Option<Answer> {
    let body = json!({"title": "Payment Required", "detail": "the order is paid already"});
    (order.status == Status::Paid).then(|| answer::json(StatusCode::PAYMENT_REQUIRED, &body))
}

/// Takes any text for an e-mail address.
pub(crate) fn any_email(_text: &str) -> bool {
    true
}

/// Forgets to remove the product.
pub(crate) fn delete_product(_store: &mut Store, _id: u64) {}

/// Adds to the stock instead of setting it.
pub(crate) fn stock_after_replacement(before: i64, given: i64) -> i64 {
    before.saturating_add(given)
}

/// Refuses a method without saying which ones are allowed.
pub(crate) fn method_not_allowed_without_allow() -> Answer {
    let body = json!({"title": "Method Not Allowed", "detail": "use another method"});
    answer::json(StatusCode::METHOD_NOT_ALLOWED, &body)
}

/// Refuses a caller without saying how to log in.
pub(crate) fn unauthorized_without_challenge() -> Answer {
    let body = json!({"title": "Unauthorized", "detail": "a valid token is required"});
    answer::json(StatusCode::UNAUTHORIZED, &body)
}
