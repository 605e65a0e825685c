//! State that earlier calls left. A reset undoes all of it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use steady_model::rerun::Category::State;

use super::{Answer, Route, RouteRequest, World};
use crate::catalogue::label::Mover::State as Calls;
use crate::catalogue::label::{on, varies};

const QUOTA: u64 = 100_000;
const ITEM: &str = r#"{"type":"object","required":["item"],
    "properties":{"item":{"type":"string","minLength":1}}}"#;

/// What the API remembers.
#[derive(Debug, Default)]
pub(crate) struct Store {
    visits: u64,
    spent: u64,
    warm: bool,
    last_order: u64,
    orders: BTreeMap<u64, Value>,
    names: BTreeSet<String>,
    document: String,
    version: u64,
}

pub(crate) const ROUTES: &[Route] = &[
    Route::new(
        "GET /state/visits",
        |world, _| {
            world.store.visits += if world.mutated("state-visits-by-two") { 2 } else { 1 };
            Answer::ok(json!({"visits": world.store.visits, "page": "home"}))
        },
        &[on(200).flaky(&[varies("body:/visits", State, Calls)]).stable(&["body:/page"])],
    )
    .mutants(&["state-visits-by-two"]),
    Route::new(
        "GET /state/quota",
        |world, _| {
            world.store.spent += 1;
            let limit = if world.mutated("state-quota-limit") { QUOTA * 2 } else { QUOTA };
            Answer::ok(json!({"limit": limit, "remaining": QUOTA.saturating_sub(world.store.spent)}))
        },
        &[on(200).flaky(&[varies("body:/remaining", State, Calls)]).stable(&["body:/limit"])],
    )
    .mutants(&["state-quota-limit"]),
    Route::new(
        "GET /state/cache",
        |world, _| {
            let warm = std::mem::replace(&mut world.store.warm, true);
            Answer::ok(json!({"rate": 7})).with("x-served-from", if warm { "HIT" } else { "MISS" }.to_owned())
        },
        &[on(200).flaky(&[varies("header:x-served-from", State, Calls)]).stable(&["body:/rate"])],
    ),
    Route::new(
        "POST /state/orders",
        create_order,
        &[
            on(201).flaky(&[varies("body:/id", State, Calls), varies("header:location", State, Calls)]),
            on(400).stable(&["body:/error"]),
        ],
    )
    .body(ITEM, r#"{"item":"tea"}"#)
    .refused("{}")
    .mutants(&["state-order-item", "state-order-location"]),
    Route::new(
        "GET /state/orders",
        |world, _| {
            let orders: Vec<&Value> = world.store.orders.values().collect();
            Answer::ok(json!({"count": orders.len(), "orders": orders}))
        },
        &[on(200).flaky(&[varies("body:/count", State, Calls), varies("body:/orders", State, Calls)])],
    ),
    Route::new("GET /state/orders/{id}", read_order, &[on(200), on(404).stable(&["body:/error"])])
        .parameters(&[("id", "integer", "1")])
        .mutants(&["state-order-gone"]),
    Route::new("DELETE /state/orders/{id}", delete_order, &[on(204), on(404).stable(&["body:/error"])])
        .parameters(&[("id", "integer", "1")]),
    Route::new(
        "POST /state/names",
        take_name,
        &[
            on(201).flaky(&[varies("status", State, Calls)]),
            on(400).stable(&["body:/error"]),
            on(409).flaky(&[varies("status", State, Calls)]),
        ],
    )
    .body(
        r#"{"type":"object","required":["name"],"properties":{"name":{"type":"string","minLength":1}}}"#,
        r#"{"name":"corner shop"}"#,
    )
    .refused("{}")
    .mutants(&["state-name-status"]),
    Route::new(
        "PUT /state/document",
        write_document,
        &[
            on(200).flaky(&[varies("body:/version", State, Calls), varies("header:etag", State, Calls)]),
            on(400).stable(&["body:/error"]),
        ],
    )
    .body(
        r#"{"type":"object","required":["text"],"properties":{"text":{"type":"string","minLength":1}}}"#,
        r#"{"text":"opening hours"}"#,
    )
    .refused("{}")
    .mutants(&["state-document-text"]),
    Route::new(
        "GET /state/document",
        |world, _| document(world),
        &[on(200).flaky(&[
            varies("body:/version", State, Calls),
            varies("body:/text", State, Calls),
            varies("header:etag", State, Calls),
        ])],
    ),
];

fn create_order(world: &mut World, call: &RouteRequest) -> Answer {
    let Some(item) = call.text("item") else { return refused("item is missing or empty") };
    let item = if world.mutated("state-order-item") { "coffee" } else { item };
    world.store.last_order += 1;
    let id = world.store.last_order;
    let order = json!({"id": id, "item": item});
    world.store.orders.insert(id, order.clone());
    let folder = if world.mutated("state-order-location") { "/orders" } else { "/state/orders" };
    Answer::json(201, order).with("location", format!("{folder}/{id}"))
}

fn read_order(world: &mut World, call: &RouteRequest) -> Answer {
    let order = number(call).and_then(|id| world.store.orders.get(&id)).cloned();
    match order {
        Some(order) => Answer::ok(order),
        None if world.mutated("state-order-gone") => Answer::json(410, json!({"error": "gone"})),
        None => no_order(),
    }
}

fn delete_order(world: &mut World, call: &RouteRequest) -> Answer {
    let removed = number(call).and_then(|id| world.store.orders.remove(&id));
    if removed.is_some() { Answer::empty() } else { no_order() }
}

fn take_name(world: &mut World, call: &RouteRequest) -> Answer {
    let Some(name) = call.text("name") else { return refused("name is missing or empty") };
    if world.store.names.insert(name.to_owned()) {
        let status = if world.mutated("state-name-status") { 202 } else { 201 };
        return Answer::json(status, json!({"name": name}));
    }
    Answer::json(409, json!({"error": "the name is taken"}))
}

fn write_document(world: &mut World, call: &RouteRequest) -> Answer {
    let Some(text) = call.text("text") else { return refused("text is missing or empty") };
    text.clone_into(&mut world.store.document);
    if world.mutated("state-document-text") {
        world.store.document.push('!');
    }
    world.store.version += 1;
    document(world)
}

fn document(world: &World) -> Answer {
    let version = world.store.version;
    Answer::ok(json!({"version": version, "text": world.store.document}))
        .with("etag", format!("\"v{version}\""))
}

fn number(call: &RouteRequest) -> Option<u64> {
    call.integer("id").and_then(|id| u64::try_from(id).ok())
}

fn no_order() -> Answer {
    Answer::json(404, json!({"error": "there is no such order"}))
}

fn refused(why: &str) -> Answer {
    Answer::json(400, json!({"error": why}))
}
