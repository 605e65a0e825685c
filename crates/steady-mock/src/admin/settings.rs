//! `/__admin/settings`: what holds for all stubs.

use http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::json;

use super::{Answer, Refusal, body, done};
use crate::matching::Received;
use crate::state::State;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Settings {
    fixed_delay: Option<u64>,
}

pub(super) fn answer(state: &State, method: &Method, received: &Received) -> Answer {
    match *method {
        Method::GET => Ok((StatusCode::OK, json!({"settings": {"fixedDelay": state.fixed_delay()}}))),
        Method::POST | Method::PUT => {
            state.set_fixed_delay(body::<Settings>(received)?.fixed_delay);
            done()
        }
        _ => Err(Refusal::NotFound),
    }
}
