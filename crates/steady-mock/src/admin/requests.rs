//! `/__admin/requests` and `/__admin/near-misses`: what was received, and what came close.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::logged::{LoggedRequest, of_entry, of_received};
use super::mappings::written;
use super::{Answer, Refusal, body, done, page};
use crate::mapping::RequestPattern;
use crate::matching::{NearMiss, Received, closest_requests, near_misses};
use crate::state::{Entry, State};

/// How many near misses are shown.
const SHOWN: usize = 3;

pub(super) fn answer(state: &State, method: &Method, path: &[&str], received: &Received) -> Answer {
    let enabled = state.journal.is_enabled();
    match (path, method) {
        ([], &Method::GET) => {
            let mut entries = state.journal.entries();
            entries.reverse();
            let total = entries.len();
            let shown: Vec<Value> =
                page(entries, received).iter().filter_map(|entry| event(state, entry)).collect();
            Ok((
                StatusCode::OK,
                json!({"requests": shown, "meta": {"total": total}, "requestJournalDisabled": !enabled}),
            ))
        }
        ([], &Method::DELETE) | (["reset"], &Method::POST) => {
            state.journal.clear();
            done()
        }
        (["count"], &Method::POST) => {
            let count = state.requests(&body(received)?).len();
            Ok((StatusCode::OK, json!({"count": count, "requestJournalDisabled": !enabled})))
        }
        (["find"], &Method::POST) => {
            let found = state.requests(&body::<RequestPattern>(received)?);
            let requests: Vec<Value> = found.iter().filter_map(|entry| of_entry(entry)).collect();
            Ok((StatusCode::OK, json!({"requests": requests, "requestJournalDisabled": !enabled})))
        }
        (["remove"], &Method::POST) => {
            let pattern: RequestPattern = body(received)?;
            let gone = state.journal.remove(|entry| {
                entry.received().is_some_and(|received| crate::matching::matches(&pattern, &received))
            });
            let events: Vec<Value> = gone.iter().filter_map(|entry| event(state, entry)).collect();
            Ok((StatusCode::OK, json!({"serveEvents": events})))
        }
        (["unmatched"], &Method::GET) => {
            let requests: Vec<Value> = unmatched(state).iter().filter_map(|entry| of_entry(entry)).collect();
            Ok((StatusCode::OK, json!({"requests": requests, "requestJournalDisabled": !enabled})))
        }
        (["unmatched", "near-misses"], &Method::GET) => {
            let index = state.stubs.index();
            let misses = unmatched(state).into_iter().filter_map(|entry| {
                let received = entry.received()?;
                let misses = near_misses(index.stubs(), &received, 1);
                misses.first().map(|miss| of_miss(&received, miss))
            });
            Ok((StatusCode::OK, json!({"nearMisses": misses.collect::<Vec<_>>()})))
        }
        ([id], &Method::GET) => {
            let found = state.journal.entries().into_iter().find(|entry| entry.id.to_string() == *id);
            let event = found.and_then(|entry| event(state, &entry)).ok_or(Refusal::NotFound)?;
            Ok((StatusCode::OK, event))
        }
        ([id], &Method::DELETE) => {
            state.journal.remove(|entry| entry.id.to_string() == *id);
            done()
        }
        _ => Err(Refusal::NotFound),
    }
}

/// `/__admin/near-misses`: the stubs close to a request, or the requests close to a pattern.
pub(super) fn near_misses_of(state: &State, method: &Method, path: &[&str], received: &Received) -> Answer {
    let misses: Vec<Value> = match (path, method) {
        (["request"], &Method::POST) => {
            let wanted = body::<LoggedRequest>(received)?.into_received()?;
            let index = state.stubs.index();
            near_misses(index.stubs(), &wanted, SHOWN).iter().map(|miss| of_miss(&wanted, miss)).collect()
        }
        (["request-pattern"], &Method::POST) => {
            let pattern: RequestPattern = body(received)?;
            let entries = state.journal.entries();
            let requests = entries.iter().filter_map(|entry| entry.received());
            let closest = closest_requests(&pattern, requests, SHOWN);
            let show = |(received, distance): &(Received, f64)| json!({"request": of_received(received), "requestPattern": pattern, "matchResult": {"distance": distance}});
            closest.iter().map(show).collect()
        }
        _ => return Err(Refusal::NotFound),
    };
    Ok((StatusCode::OK, json!({"nearMisses": misses})))
}

fn unmatched(state: &State) -> Vec<std::sync::Arc<Entry>> {
    let mut entries = state.journal.entries();
    entries.retain(|entry| entry.stub.is_none());
    entries
}

fn of_miss(received: &Received, miss: &NearMiss) -> Value {
    json!({
        "request": of_received(received),
        "stubMapping": written(&miss.stub),
        "matchResult": {"distance": miss.distance, "fields": miss.fields},
    })
}

/// A request with its answer, as WireMock writes it.
fn event(state: &State, entry: &Entry) -> Option<Value> {
    let mut event = json!({
        "id": entry.id.to_string(),
        "request": of_entry(entry)?,
        "responseDefinition": {"status": entry.status},
        "response": {"status": entry.status},
        "wasMatched": entry.stub.is_some(),
    });
    if let Some(stub) = entry.stub.and_then(|id| state.stubs.get(id)) {
        event["responseDefinition"] = serde_json::to_value(&stub.mapping.response).unwrap_or_default();
        event["stubMapping"] = written(&stub);
    }
    Some(event)
}
