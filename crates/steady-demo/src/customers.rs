//! Customers: who buys.

use hyper::{StatusCode, header};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::answer::{self, Answer, Refusal};
use crate::bugs;
use crate::call::ShopRequest;
use crate::fields::{Fields, is_date, is_digits, is_email, matching, one_of, text};
use crate::page::Page;
use crate::store::Store;

const TIERS: [&str; 3] = ["bronze", "silver", "gold"];
const SORTS: [&str; 4] = ["id", "-id", "name", "-name"];

/// A customer.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Customer {
    pub(crate) id: u64,
    #[serde(flatten)]
    pub(crate) profile: Profile,
    pub(crate) loyalty_points: u32,
    created_at: String,
    fingerprint: String,
}

/// What customers say about themselves.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Profile {
    pub(crate) name: String,
    pub(crate) email: String,
    pub(crate) tier: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    birth_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<Address>,
}

/// Where a customer lives.
#[derive(Debug, Clone, Serialize)]
struct Address {
    street: String,
    city: String,
    zip: String,
}

impl Customer {
    /// The customers of a new shop.
    pub(crate) fn seed(store: &mut Store) {
        for (name, tier) in [("Ada Smith", "gold"), ("Ben Miller", "silver"), ("Cleo Jones", "bronze")] {
            let email = format!("{}@shop.test", name.to_lowercase().replace(' ', "."));
            add(store, Profile { name: name.to_owned(), email, tier, birth_date: None, address: None });
        }
    }
}

/// `GET /customers`
pub(crate) fn list(store: &mut Store, call: &ShopRequest) -> Result<Answer, Refusal> {
    let page = Page::of(call, &SORTS)?;
    let tier = call.query("tier");
    if tier.as_deref().is_some_and(|tier| !TIERS.contains(&tier)) {
        return Err(Refusal::bad_request(format!("tier must be one of {}", TIERS.join(", "))));
    }
    if let Some(crash) = bugs::quote_in_search(page.search.as_deref()) {
        return Ok(crash);
    }
    let mut found: Vec<&Customer> = store
        .customers
        .iter()
        .filter(|customer| page.matches(&customer.profile.name))
        .filter(|customer| tier.as_deref().is_none_or(|tier| customer.profile.tier == tier))
        .collect();
    match page.sort.as_deref() {
        Some("-id") => found.reverse(),
        Some("name") => found.sort_by(|a, b| a.profile.name.cmp(&b.profile.name)),
        Some("-name") => found.sort_by(|a, b| b.profile.name.cmp(&a.profile.name)),
        _ => {}
    }
    Ok(page.answer(&found, &mut store.volatile))
}

/// `POST /customers`
pub(crate) fn create(store: &mut Store, call: &ShopRequest) -> Result<Answer, Refusal> {
    let profile = read(&call.object()?)?;
    refuse_taken(store, &profile.email, None)?;
    let customer = add(store, profile);
    let answer = answer::json(StatusCode::CREATED, customer);
    Ok(answer::with_header(answer, header::LOCATION, &format!("/customers/{}", customer.id)))
}

/// `GET /customers/{customerId}`
pub(crate) fn show(store: &Store, id: u64) -> Result<Answer, Refusal> {
    let customer = store.customers.get(id).ok_or_else(missing)?;
    Ok(bugs::points_as_text(customer).unwrap_or_else(|| answer::json(StatusCode::OK, customer)))
}

/// `PUT /customers/{customerId}`
pub(crate) fn replace(store: &mut Store, id: u64, call: &ShopRequest) -> Result<Answer, Refusal> {
    let profile = read(&call.object()?)?;
    store.customers.get(id).ok_or_else(missing)?;
    refuse_taken(store, &profile.email, Some(id))?;
    let customer = store.customers.get_mut(id).ok_or_else(missing)?;
    customer.loyalty_points = points(profile.tier);
    customer.profile = profile;
    Ok(answer::json(StatusCode::OK, customer))
}

/// `PATCH /customers/{customerId}`
pub(crate) fn change(store: &mut Store, id: u64, call: &ShopRequest) -> Result<Answer, Refusal> {
    let object = call.object()?;
    let mut fields = Fields::partial(&object);
    let name = fields.optional("name", |value| text(value, 1, 80));
    let email = fields.optional("email", |value| matching(value, "a string", bugs::any_email));
    let tier = fields.optional("tier", |value| one_of(value, &TIERS));
    fields.finish()?;
    store.customers.get(id).ok_or_else(missing)?;
    if let Some(email) = &email {
        refuse_taken(store, email, Some(id))?;
    }
    let customer = store.customers.get_mut(id).ok_or_else(missing)?;
    let profile = &mut customer.profile;
    profile.name = name.unwrap_or_else(|| std::mem::take(&mut profile.name));
    profile.email = email.unwrap_or_else(|| std::mem::take(&mut profile.email));
    profile.tier = tier.unwrap_or(profile.tier);
    customer.loyalty_points = points(profile.tier);
    Ok(answer::json(StatusCode::OK, customer))
}

/// `DELETE /customers/{customerId}`
pub(crate) fn delete(store: &mut Store, id: u64) -> Result<Answer, Refusal> {
    store.customers.remove(id).ok_or_else(missing)?;
    store.orders.retain(|order| order.customer_id != id);
    Ok(answer::empty(StatusCode::NO_CONTENT))
}

/// What a call about a customer who is not there gets.
pub(crate) fn missing() -> Refusal {
    Refusal::not_found("the customer")
}

fn read(object: &Map<String, Value>) -> Result<Profile, Refusal> {
    let mut fields = Fields::whole(object);
    let name = fields.required("name", |value| text(value, 1, 80));
    let email = fields.required("email", |value| matching(value, "an e-mail address", is_email));
    let tier = fields.optional("tier", |value| one_of(value, &TIERS));
    let birth_date = fields.optional("birthDate", |value| match value {
        Value::Null => Ok(None),
        date => matching(date, "a date", is_date).map(Some),
    });
    let address = fields.optional("address", read_address);
    fields.finish()?;
    Ok(Profile {
        name: name.unwrap_or_default(),
        email: email.unwrap_or_default(),
        tier: tier.unwrap_or("bronze"),
        birth_date: birth_date.flatten(),
        address,
    })
}

fn read_address(value: &Value) -> Result<Address, String> {
    let object = value.as_object().ok_or("must be an object")?;
    if let Some(unknown) = object.keys().find(|key| !["street", "city", "zip"].contains(&key.as_str())) {
        return Err(format!("has the unknown property {unknown}"));
    }
    let part = |name: &str| object.get(name).ok_or_else(|| format!("{name} is required"));
    Ok(Address {
        street: text(part("street")?, 1, 100)?,
        city: text(part("city")?, 1, 60)?,
        zip: matching(part("zip")?, "five digits", |zip| is_digits(zip, 5))?,
    })
}

fn add(store: &mut Store, profile: Profile) -> &Customer {
    let (created_at, fingerprint) = (store.volatile.now(), store.volatile.digest());
    let loyalty_points = points(profile.tier);
    store.customers.insert(|id| Customer { id, profile, loyalty_points, created_at, fingerprint })
}

fn points(tier: &str) -> u32 {
    match tier {
        "gold" => 1200,
        "silver" => 500,
        _ => 0,
    }
}

fn refuse_taken(store: &Store, email: &str, except: Option<u64>) -> Result<(), Refusal> {
    let mut others = store.customers.iter().filter(|customer| Some(customer.id) != except);
    match others.find(|customer| customer.profile.email == email) {
        Some(_) => Err(Refusal::conflict("another customer has this e-mail address")),
        None => Ok(()),
    }
}
