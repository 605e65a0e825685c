//! Logging in, and who is logged in.

use hyper::{StatusCode, header};
use serde_json::json;

use crate::answer::{self, Answer, Refusal};
use crate::bugs;
use crate::call::ShopRequest;
use crate::fields::{Fields, text};
use crate::server::Shop;
use crate::store::Store;
use crate::volatile::TENANT_ID;

const USER: &str = Shop::USER;
const PASSWORD: &str = Shop::PASSWORD;

/// `POST /login`
pub(crate) fn login(store: &mut Store, call: &ShopRequest) -> Result<Answer, Refusal> {
    let object = call.object()?;
    let mut fields = Fields::whole(&object);
    let user = fields.required("username", |value| text(value, 1, 40)).unwrap_or_default();
    let password = fields.required("password", |value| text(value, 1, 80)).unwrap_or_default();
    fields.finish()?;
    if (user.as_str(), password.as_str()) != (USER, PASSWORD) {
        return Err(Refusal::unauthorized("user name or password is wrong"));
    }
    let token = store.volatile.token(USER);
    store.open_session(token.clone());
    let cookie = format!("session={}; Path=/; HttpOnly; SameSite=Lax", store.volatile.opaque());
    let body = json!({"token": token, "tokenType": "Bearer", "expiresIn": 3600});
    Ok(answer::with_header(answer::json(StatusCode::OK, &body), header::SET_COOKIE, &cookie))
}

/// `GET /me`
pub(crate) fn me(store: &Store, call: &ShopRequest) -> Result<Answer, Refusal> {
    let credentials = call.header(header::AUTHORIZATION).unwrap_or_default();
    let token = credentials.strip_prefix("Bearer ");
    if !token.is_some_and(|token| store.sessions.iter().any(|open| open == token)) {
        return Ok(bugs::unauthorized_without_challenge());
    }
    let body = json!({"username": USER, "roles": ["clerk"], "tenantId": TENANT_ID});
    Ok(answer::json(StatusCode::OK, &body))
}
