//! Which path and method goes where.

use hyper::header::HeaderName;
use hyper::{Method, StatusCode};

use crate::answer::{self, Answer, Refusal};
use crate::call::{ShopRequest, number};
use crate::store::Store;
use crate::{bugs, customers, health, orders, pricing, products, session};

/// The shop's own description.
const OPENAPI: &str = include_str!("openapi.json");
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Answers a call.
pub(crate) fn answer(store: &mut Store, call: &ShopRequest) -> Answer {
    let answer = match route(store, call) {
        Ok(answer) => answer,
        Err(refusal) => refusal.into_answer(&mut store.volatile),
    };
    answer::with_header(answer, REQUEST_ID, &store.volatile.uuid())
}

fn route(store: &mut Store, call: &ShopRequest) -> Result<Answer, Refusal> {
    let mut segments = [""; 3];
    let mut count = 0;
    for segment in call.path().trim_start_matches('/').split('/') {
        match segments.get_mut(count) {
            Some(place) => *place = segment,
            None => return Err(Refusal::not_found("this path")),
        }
        count += 1;
    }
    match &segments[..count] {
        ["customers"] => match *call.method() {
            Method::GET => customers::list(store, call),
            Method::POST => customers::create(store, call),
            _ => other_method(call, "GET, HEAD, POST, OPTIONS"),
        },
        ["customers", id] => {
            let id = number("customerId", id)?;
            match *call.method() {
                Method::GET => customers::show(store, id),
                Method::PUT => customers::replace(store, id, call),
                Method::PATCH => customers::change(store, id, call),
                Method::DELETE => customers::delete(store, id),
                _ => other_method(call, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"),
            }
        }
        ["customers", id, "orders"] => {
            let id = number("customerId", id)?;
            match *call.method() {
                Method::GET => orders::list(store, id),
                Method::POST => orders::create(store, id, call),
                _ => other_method(call, "GET, HEAD, POST, OPTIONS"),
            }
        }
        ["products"] => match *call.method() {
            Method::GET => products::list(store, call),
            Method::POST => products::create(store, call),
            _ => other_method(call, "GET, HEAD, POST, OPTIONS"),
        },
        ["products", id] => {
            let id = number("productId", id)?;
            match *call.method() {
                Method::GET => products::show(store, id),
                Method::PUT => products::replace(store, id, call),
                Method::PATCH => products::change(store, id, call),
                Method::DELETE => products::delete(store, id),
                _ => other_method(call, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"),
            }
        }
        ["orders", id] => match *call.method() {
            Method::GET => orders::show(store, id),
            Method::DELETE => orders::cancel(store, id),
            _ => other_method(call, "GET, HEAD, DELETE, OPTIONS"),
        },
        ["orders", id, "payment"] => match *call.method() {
            Method::POST => orders::pay(store, id, call),
            _ => other_method(call, "POST, OPTIONS"),
        },
        ["price", "estimate"] => match *call.method() {
            Method::GET => pricing::estimate(store, call),
            _ => Ok(bugs::method_not_allowed_without_allow()),
        },
        ["login"] => match *call.method() {
            Method::POST => session::login(store, call),
            _ => other_method(call, "POST, OPTIONS"),
        },
        ["me"] => match *call.method() {
            Method::GET => session::me(store, call),
            _ => other_method(call, "GET, HEAD, OPTIONS"),
        },
        ["health"] => match *call.method() {
            Method::GET => Ok(health::show(store)),
            _ => other_method(call, "GET, HEAD, OPTIONS"),
        },
        ["__reset"] => match *call.method() {
            Method::POST => {
                store.reset();
                Ok(answer::empty(StatusCode::NO_CONTENT))
            }
            _ => other_method(call, "POST, OPTIONS"),
        },
        ["openapi.json"] => Ok(answer::typed(StatusCode::OK, "application/json", OPENAPI)),
        _ => Err(Refusal::not_found("this path")),
    }
}

/// OPTIONS lists the methods, every other one is refused.
fn other_method(call: &ShopRequest, allowed: &str) -> Result<Answer, Refusal> {
    if call.method() == Method::OPTIONS {
        let answer = answer::empty(StatusCode::NO_CONTENT);
        return Ok(answer::with_header(answer, hyper::header::ALLOW, allowed));
    }
    Err(Refusal::method_not_allowed(allowed))
}
