//! `/__admin/mappings`: the stubs.

use http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, Refusal, body, done, page};
use crate::mapping::{Mapping, StubId};
use crate::matching::Received;
use crate::state::State;
use crate::stub::Stub;

pub(super) fn answer(state: &State, method: &Method, path: &[&str], received: &Received) -> Answer {
    match (path, method) {
        ([], &Method::GET) => {
            let all = state.stubs.all();
            let total = all.len();
            let shown: Vec<Value> = page(all, received).iter().map(|stub| written(stub)).collect();
            Ok((StatusCode::OK, json!({"mappings": shown, "meta": {"total": total}})))
        }
        ([], &Method::POST) => {
            let stub = state.stubs.add(body(received)?)?;
            Ok((StatusCode::CREATED, written(&stub)))
        }
        ([], &Method::DELETE) => {
            state.stubs.clear();
            done()
        }
        (["reset"], &Method::POST) => {
            state.stubs.reset();
            done()
        }
        (["import"], &Method::POST) => import(state, body(received)?),
        ([id], &Method::GET) => {
            let stub = known(id)?.and_then(|id| state.stubs.get(id)).ok_or(Refusal::NotFound)?;
            Ok((StatusCode::OK, written(&stub)))
        }
        ([id], &Method::PUT) => {
            let id = known(id)?.ok_or(Refusal::NotFound)?;
            let stub = state.stubs.replace(id, body(received)?)?.ok_or(Refusal::NotFound)?;
            Ok((StatusCode::OK, written(&stub)))
        }
        ([id], &Method::DELETE) => {
            let removed = known(id)?.is_some_and(|id| state.stubs.remove(id));
            if removed { done() } else { Err(Refusal::NotFound) }
        }
        _ => Err(Refusal::NotFound),
    }
}

/// What cannot be an identity is the identity of nothing.
fn known(text: &str) -> Result<Option<StubId>, Refusal> {
    Ok(text.parse().ok())
}

/// A stub as WireMock writes it, its identity twice.
pub(super) fn written(stub: &Stub) -> Value {
    let mut written = serde_json::to_value(&stub.mapping).unwrap_or_default();
    written["uuid"] = stub.id.to_string().into();
    written
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Import {
    mappings: Vec<Mapping>,
    #[serde(default)]
    import_options: ImportOptions,
    #[serde(default, rename = "meta")]
    _meta: serde::de::IgnoredAny,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct ImportOptions {
    duplicate_policy: DuplicatePolicy,
    delete_all_not_in_import: bool,
}

#[derive(Default, Deserialize, PartialEq)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum DuplicatePolicy {
    #[default]
    Overwrite,
    Ignore,
}

fn import(state: &State, import: Import) -> Answer {
    if import.import_options.delete_all_not_in_import {
        state.stubs.clear();
    }
    // The first of the list is to be asked first, so it is the newest.
    for mapping in import.mappings.into_iter().rev() {
        let exists = mapping.stated_id().is_some_and(|id| state.stubs.get(id).is_some());
        if !exists || import.import_options.duplicate_policy == DuplicatePolicy::Overwrite {
            state.stubs.add(mapping)?;
        }
    }
    done()
}
