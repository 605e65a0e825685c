//! `/__admin/scenarios`: the states of scenarios.

use http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, Refusal, body, done};
use crate::mapping::StubId;
use crate::matching::Received;
use crate::state::{State, UnknownScenario};

#[derive(Default, Deserialize)]
struct Wanted {
    state: Option<String>,
}

pub(super) fn answer(state: &State, method: &Method, path: &[&str], received: &Received) -> Answer {
    let stubs = state.stubs.all();
    match (path, method) {
        ([], &Method::GET) => {
            let show = |scenario: crate::state::ScenarioState| {
                json!({
                    "id": StubId::of_text(&scenario.name).to_string(),
                    "name": scenario.name,
                    "state": scenario.state,
                    "possibleStates": scenario.possible,
                })
            };
            let scenarios: Vec<Value> = state.scenarios.list(stubs.iter()).into_iter().map(show).collect();
            Ok((StatusCode::OK, json!({"scenarios": scenarios})))
        }
        (["reset"], &Method::POST) => {
            state.scenarios.reset();
            done()
        }
        ([name, "state"], &Method::PUT) => {
            let wanted: Wanted = if received.body.is_empty() { Wanted::default() } else { body(received)? };
            match state.scenarios.set(stubs.iter(), name, wanted.state.as_deref()) {
                Ok(()) => done(),
                Err(UnknownScenario::Scenario(_)) => Err(Refusal::NotFound),
                Err(error) => Err(Refusal::Invalid { title: error.to_string(), detail: String::new() }),
            }
        }
        _ => Err(Refusal::NotFound),
    }
}
