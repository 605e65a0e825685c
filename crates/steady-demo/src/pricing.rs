//! What an order would cost.

use hyper::StatusCode;
use serde::Serialize;

use crate::answer::{self, Answer, Refusal};
use crate::call::{ShopRequest, number};
use crate::orders::MAX_QUANTITY;
use crate::products::Product;
use crate::store::Store;

const COUNTRIES: [&str; 3] = ["DE", "FR", "US"];
/// How long an estimate is good for.
const VALID_MILLIS: i64 = 15 * 60 * 1000;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Estimate {
    request_id: String,
    product_id: u64,
    quantity: i64,
    country: String,
    currency: &'static str,
    base: i64,
    jitter: i64,
    total: i64,
    valid_until: i64,
}

/// `GET /price/estimate`
pub(crate) fn estimate(store: &mut Store, call: &ShopRequest) -> Result<Answer, Refusal> {
    let product = call.query("productId").ok_or_else(|| Refusal::bad_request("productId is required"))?;
    let product_id = number("productId", &product)?;
    let quantity = call.query("quantity").and_then(|quantity| quantity.parse().ok());
    let quantity = quantity.filter(|quantity| (1..=MAX_QUANTITY).contains(quantity)).ok_or_else(|| {
        Refusal::bad_request(format!("quantity is required and must be between 1 and {MAX_QUANTITY}"))
    })?;
    let country = call.query("country").unwrap_or_else(|| "DE".to_owned());
    if !COUNTRIES.contains(&country.as_str()) {
        return Err(Refusal::bad_request(format!("country must be one of {}", COUNTRIES.join(", "))));
    }
    let product = store.products.get(product_id).ok_or_else(|| Refusal::not_found("the product"))?;
    let (base, currency) = (cents(product, quantity), product.details.currency);
    let jitter = store.volatile.jitter();
    let estimate = Estimate {
        request_id: store.volatile.uuid(),
        product_id,
        quantity,
        country,
        currency,
        base,
        jitter,
        total: base + jitter,
        valid_until: store.volatile.epoch_millis() + VALID_MILLIS,
    };
    Ok(answer::json(StatusCode::OK, &estimate))
}

/// What so many pieces cost, in cents.
pub(crate) fn cents(product: &Product, quantity: i64) -> i64 {
    (product.details.price * 100.0 * quantity as f64).round() as i64
}
