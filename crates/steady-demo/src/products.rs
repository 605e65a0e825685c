//! Products: what is for sale.

use hyper::{StatusCode, header};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::answer::{self, Answer, Refusal};
use crate::bugs;
use crate::call::ShopRequest;
use crate::fields::{Fields, integer, is_digits, matching, number, one_of, text};
use crate::page::Page;
use crate::store::Store;
use crate::volatile::{RELEASE_DATE, TENANT_ID};

/// The currencies the shop takes.
const CURRENCIES: [&str; 3] = ["EUR", "USD", "GBP"];
const SORTS: [&str; 4] = ["id", "-id", "price", "-price"];
const MAX_PRICE: f64 = 100_000.0;
const MAX_STOCK: i64 = 10_000;

/// A product.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Product {
    pub(crate) id: u64,
    #[serde(flatten)]
    pub(crate) details: Details,
    release_date: &'static str,
    tenant_id: &'static str,
    updated_at: String,
}

/// What the shop says about a product.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Details {
    sku: String,
    name: String,
    pub(crate) price: f64,
    pub(crate) currency: &'static str,
    pub(crate) stock: i64,
    tags: Vec<String>,
}

impl Product {
    /// The products of a new shop.
    pub(crate) fn seed(store: &mut Store) {
        let names = ["Desk lamp", "Office chair", "Notebook", "Fountain pen", "Bookend"];
        for (place, name) in names.into_iter().enumerate() {
            let details = Details {
                sku: format!("SHP-{:04}", place + 1),
                name: name.to_owned(),
                price: 9.5 * (place + 1) as f64,
                currency: "EUR",
                stock: MAX_STOCK,
                tags: ["new", "office", "gift"].map(str::to_owned).to_vec(),
            };
            add(store, details);
        }
    }
}

/// `GET /products`
pub(crate) fn list(store: &mut Store, call: &ShopRequest) -> Result<Answer, Refusal> {
    if let Some(crash) = bugs::negative_limit(call, &store.volatile) {
        return Ok(crash);
    }
    let page = Page::of(call, &SORTS)?;
    let mut found: Vec<&Product> =
        store.products.iter().filter(|product| page.matches(&product.details.name)).collect();
    match page.sort.as_deref() {
        Some("-id") => found.reverse(),
        Some("price") => found.sort_by(|a, b| a.details.price.total_cmp(&b.details.price)),
        Some("-price") => found.sort_by(|a, b| b.details.price.total_cmp(&a.details.price)),
        _ => {}
    }
    Ok(page.answer(&found, &mut store.volatile))
}

/// `POST /products`
pub(crate) fn create(store: &mut Store, call: &ShopRequest) -> Result<Answer, Refusal> {
    let details = read(&call.object()?, bugs::LEAST_PRICE_OF_NEW_PRODUCTS)?;
    refuse_taken(store, &details.sku, None)?;
    let id = add(store, details);
    let answer = present(store, id, StatusCode::CREATED)?;
    Ok(answer::with_header(answer, header::LOCATION, &format!("/products/{id}")))
}

/// `GET /products/{productId}`
pub(crate) fn show(store: &mut Store, id: u64) -> Result<Answer, Refusal> {
    present(store, id, StatusCode::OK)
}

/// `PUT /products/{productId}`
pub(crate) fn replace(store: &mut Store, id: u64, call: &ShopRequest) -> Result<Answer, Refusal> {
    let mut details = read(&call.object()?, 0.0)?;
    let before = store.products.get(id).ok_or_else(missing)?.details.stock;
    refuse_taken(store, &details.sku, Some(id))?;
    details.stock = bugs::stock_after_replacement(before, details.stock);
    update(store, id, details)
}

/// `PATCH /products/{productId}`
pub(crate) fn change(store: &mut Store, id: u64, call: &ShopRequest) -> Result<Answer, Refusal> {
    let object = call.object()?;
    let mut fields = Fields::partial(&object);
    let price = fields.optional("price", |value| price(value, 0.0));
    let stock = fields.optional("stock", |value| integer(value, 0, MAX_STOCK));
    let tags = fields.optional("tags", read_tags);
    fields.finish()?;
    let mut details = store.products.get(id).ok_or_else(missing)?.details.clone();
    details.price = price.unwrap_or(details.price);
    details.stock = stock.unwrap_or(details.stock);
    details.tags = tags.unwrap_or(details.tags);
    update(store, id, details)
}

/// `DELETE /products/{productId}`
pub(crate) fn delete(store: &mut Store, id: u64) -> Result<Answer, Refusal> {
    store.products.get(id).ok_or_else(missing)?;
    bugs::delete_product(store, id);
    Ok(answer::empty(StatusCode::NO_CONTENT))
}

fn missing() -> Refusal {
    Refusal::not_found("the product")
}

fn read(object: &Map<String, Value>, least_price: f64) -> Result<Details, Refusal> {
    let mut fields = Fields::whole(object);
    let sku = fields.required("sku", |value| matching(value, "like ABC-1234", is_sku));
    let name = fields.required("name", |value| text(value, 1, 80));
    let price = fields.required("price", |value| price(value, least_price));
    let currency = fields.optional("currency", |value| one_of(value, &CURRENCIES));
    let stock = fields.optional("stock", |value| integer(value, 0, MAX_STOCK));
    let tags = fields.optional("tags", read_tags);
    fields.finish()?;
    Ok(Details {
        sku: sku.unwrap_or_default(),
        name: name.unwrap_or_default(),
        price: price.unwrap_or_default(),
        currency: currency.unwrap_or("EUR"),
        stock: stock.unwrap_or_default(),
        tags: tags.unwrap_or_default(),
    })
}

fn price(value: &Value, least: f64) -> Result<f64, String> {
    let price = number(value, MAX_PRICE)?;
    if price < least { Err(format!("must not be under {least}")) } else { Ok(price) }
}

fn read_tags(value: &Value) -> Result<Vec<String>, String> {
    let items = value.as_array().ok_or("must be an array")?;
    if items.len() > 10 {
        return Err("must have at most 10 items".to_owned());
    }
    let mut tags = Vec::with_capacity(items.len());
    for item in items {
        let tag = text(item, 1, 20)?;
        if tags.contains(&tag) {
            return Err("must not repeat an item".to_owned());
        }
        tags.push(tag);
    }
    Ok(tags)
}

fn is_sku(text: &str) -> bool {
    match text.split_once('-') {
        Some((letters, digits)) => {
            letters.len() == 3
                && letters.bytes().all(|byte| byte.is_ascii_uppercase())
                && is_digits(digits, 4)
        }
        None => false,
    }
}

fn add(store: &mut Store, details: Details) -> u64 {
    let updated_at = store.volatile.now();
    let product = store.products.insert(|id| Product {
        id,
        details,
        release_date: RELEASE_DATE,
        tenant_id: TENANT_ID,
        updated_at,
    });
    product.id
}

fn update(store: &mut Store, id: u64, details: Details) -> Result<Answer, Refusal> {
    let product = store.products.get_mut(id).ok_or_else(missing)?;
    product.details = details;
    product.updated_at = store.volatile.now();
    present(store, id, StatusCode::OK)
}

/// The product as a response; its tags are a set, so they come in any order.
fn present(store: &mut Store, id: u64, status: StatusCode) -> Result<Answer, Refusal> {
    let product = store.products.get_mut(id).ok_or_else(missing)?;
    store.volatile.shuffle(&mut product.details.tags);
    let etag = store.volatile.entity_tag(&product.updated_at);
    Ok(answer::with_header(answer::json(status, product), header::ETAG, &etag))
}

fn refuse_taken(store: &Store, sku: &str, except: Option<u64>) -> Result<(), Refusal> {
    let mut others = store.products.iter().filter(|product| Some(product.id) != except);
    match others.find(|product| product.details.sku == sku) {
        Some(_) => Err(Refusal::conflict("another product has this SKU")),
        None => Ok(()),
    }
}
