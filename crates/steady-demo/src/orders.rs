//! Orders: who buys what.

use hyper::{StatusCode, header};
use serde::Serialize;

use crate::answer::{self, Answer, Refusal};
use crate::call::ShopRequest;
use crate::fields::{Fields, boolean, integer, is_digits, matching, text};
use crate::page::Page;
use crate::pricing;
use crate::store::Store;
use crate::volatile::TENANT_ID;
use crate::{bugs, customers};

/// The most pieces of a product in one order.
pub(crate) const MAX_QUANTITY: i64 = 1000;

/// An order of one product.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Order {
    #[serde(skip)]
    number: u64,
    pub(crate) id: String,
    pub(crate) customer_id: u64,
    pub(crate) product_id: u64,
    pub(crate) quantity: i64,
    gift_wrap: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    pub(crate) status: Status,
    total_cents: i64,
    tenant_id: &'static str,
    placed_at: String,
    tracking_hash: String,
}

/// The status of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    Open,
    Paid,
}

/// `GET /customers/{customerId}/orders`
pub(crate) fn list(store: &mut Store, customer: u64) -> Result<Answer, Refusal> {
    store.customers.get(customer).ok_or_else(customers::missing)?;
    let found: Vec<&Order> = store.orders.iter().filter(|order| order.customer_id == customer).collect();
    Ok(Page::default().answer(&found, &mut store.volatile))
}

/// `POST /customers/{customerId}/orders`
pub(crate) fn create(store: &mut Store, customer: u64, call: &ShopRequest) -> Result<Answer, Refusal> {
    let object = call.object()?;
    let mut fields = Fields::whole(&object);
    let product = fields.required("productId", |value| integer(value, 1, i64::MAX));
    let quantity = fields.required("quantity", |value| integer(value, 1, MAX_QUANTITY)).unwrap_or_default();
    let gift_wrap = fields.optional("giftWrap", boolean).unwrap_or_default();
    let note = fields.optional("note", |value| text(value, 0, 200));
    fields.finish()?;
    store.customers.get(customer).ok_or_else(customers::missing)?;
    let product = product.and_then(|id| store.products.get(id as u64));
    let product = product.ok_or_else(|| Refusal::invalid_field("productId", "is not the id of a product"))?;
    if let Some(crash) = bugs::largest_order(quantity) {
        return Ok(crash);
    }
    if product.details.stock < quantity {
        return Err(Refusal::conflict("there are not that many pieces in stock"));
    }
    let (product_id, total_cents) = (product.id, pricing::cents(product, quantity));
    let (id, placed_at, tracking_hash) =
        (store.volatile.uuid(), store.volatile.now(), store.volatile.digest());
    let order = store.orders.insert(|number| Order {
        number,
        id,
        customer_id: customer,
        product_id,
        quantity,
        gift_wrap,
        note,
        status: Status::Open,
        total_cents,
        tenant_id: TENANT_ID,
        placed_at,
        tracking_hash,
    });
    let answer = answer::json(StatusCode::CREATED, order);
    Ok(answer::with_header(answer, header::LOCATION, &format!("/orders/{}", order.id)))
}

/// `GET /orders/{orderId}`
pub(crate) fn show(store: &Store, id: &str) -> Result<Answer, Refusal> {
    let order = find(store, id)?;
    Ok(bugs::paid_order_without_total(order).unwrap_or_else(|| answer::json(StatusCode::OK, order)))
}

/// `POST /orders/{orderId}/payment`
pub(crate) fn pay(store: &mut Store, id: &str, call: &ShopRequest) -> Result<Answer, Refusal> {
    let object = call.object()?;
    let mut fields = Fields::whole(&object);
    fields.required("cardNumber", |value| matching(value, "16 digits", |card| is_digits(card, 16)));
    fields.required("expiry", |value| matching(value, "like 09/31", is_expiry));
    fields.finish()?;
    let order = find(store, id)?;
    if let Some(surprise) = bugs::second_payment(order) {
        return Ok(surprise);
    }
    let order = store.orders.get_mut(order.number).ok_or_else(missing)?;
    order.status = Status::Paid;
    Ok(answer::json(StatusCode::OK, order))
}

/// `DELETE /orders/{orderId}`
pub(crate) fn cancel(store: &mut Store, id: &str) -> Result<Answer, Refusal> {
    let order = find(store, id)?;
    if order.status == Status::Paid {
        return Err(Refusal::conflict("a paid order cannot be cancelled"));
    }
    store.orders.remove(order.number);
    Ok(answer::empty(StatusCode::NO_CONTENT))
}

fn missing() -> Refusal {
    Refusal::not_found("the order")
}

fn find<'a>(store: &'a Store, id: &str) -> Result<&'a Order, Refusal> {
    if !is_uuid(id) {
        return Err(Refusal::bad_request("orderId must be a UUID"));
    }
    store.orders.iter().rev().find(|order| order.id.eq_ignore_ascii_case(id)).ok_or_else(missing)
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn is_expiry(text: &str) -> bool {
    match text.split_once('/') {
        Some((month, year)) => {
            is_digits(month, 2) && is_digits(year, 2) && matches!(month.parse(), Ok(1..=12_u8))
        }
        None => false,
    }
}
