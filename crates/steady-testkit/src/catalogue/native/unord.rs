//! Unord: collections without an order.

use serde_json::{Value, json};
use steady_model::rerun::Category::Unord;

use super::{Answer, Route, RouteRequest, World};
use crate::catalogue::label::Mover::Call as EachCall;
use crate::catalogue::label::{on, varies};

pub(crate) const ROUTES: &[Route] = &[
    Route::new(
        "GET /unord/tags",
        |world, _| {
            let mut tags = world.draw.shuffle("tags", ["fruit", "fresh", "organic", "local"]);
            if world.mutated("unord-tag-missing") {
                tags.pop();
            }
            if world.mutated("unord-tag-twice") {
                tags[0] = tags[1];
            }
            Answer::ok(json!({"tags": tags, "product": "apple"}))
        },
        &[on(200).flaky(&[varies("body:/tags", Unord, EachCall)]).stable(&["body:/product"])],
    )
    .mutants(&["unord-tag-missing", "unord-tag-twice"]),
    Route::new("GET /unord/users", users, &[on(200).flaky(&[varies("body:", Unord, EachCall)])])
        .mutants(&["unord-user-renamed"]),
    Route::new(
        "GET /unord/groups",
        |world, _| {
            let members = world.draw.shuffle("members", [3, 5, 8, 13]);
            Answer::ok(
                json!({"groups": [{"name": "staff", "members": members}, {"name": "guests", "members": []}]}),
            )
        },
        &[on(200)
            .flaky(&[varies("body:/groups/0/members", Unord, EachCall)])
            .stable(&["body:/groups/0/name", "body:/groups/1/name"])],
    ),
    Route::new(
        "GET /unord/message",
        |world, _| {
            let last = if world.mutated("unord-message-value") { "purple" } else { "blue" };
            let values = world.draw.shuffle("values", ["red", "green", last, "yellow"]).join(", ");
            Answer::json(
                422,
                json!({"message": format!("colour must be one of [{values}]"), "field": "colour"}),
            )
        },
        &[on(422).flaky(&[varies("body:/message", Unord, EachCall)]).stable(&["body:/field"])],
    )
    .mutants(&["unord-message-value"]),
    Route::new(
        "GET /unord/header",
        |world, _| {
            let features = world.draw.shuffle("features", ["search", "wishlist", "coupons", "gifts"]);
            Answer::ok(json!({"enabled": true})).with("x-features", features.join(", "))
        },
        &[on(200).flaky(&[varies("header:x-features", Unord, EachCall)]).stable(&["body:/enabled"])],
    ),
    Route::new(
        "POST /unord/customers",
        customer,
        &[
            on(201).stable(&["body:/status"]),
            on(400).flaky(&[varies("body:/errors", Unord, EachCall)]).stable(&["body:/status"]),
        ],
    )
    .body(
        r#"{"type":"object","required":["name","email","city"],"properties":{
            "name":{"type":"string","minLength":1},"email":{"type":"string","minLength":1},
            "city":{"type":"string","minLength":1}}}"#,
        r#"{"name":"Ada","email":"ada@shop.test","city":"London"}"#,
    )
    .refused("{}")
    .mutants(&["unord-error-missing"]),
];

fn users(world: &mut World, _: &RouteRequest) -> Answer {
    let third = if world.mutated("unord-user-renamed") { "Eve" } else { "Carol" };
    let users =
        [json!({"id": 1, "name": "Ann"}), json!({"id": 2, "name": "Ben"}), json!({"id": 3, "name": third})];
    Answer::ok(Value::from(world.draw.shuffle("users", users)))
}

/// Validators report what is wrong in no order.
fn customer(world: &mut World, call: &RouteRequest) -> Answer {
    let missing: Vec<&str> =
        ["name", "email", "city"].into_iter().filter(|field| call.text(field).is_none()).collect();
    if missing.is_empty() {
        return Answer::json(201, json!({"status": "created"}));
    }
    let mut errors: Vec<Value> = world
        .draw
        .shuffle("errors", missing)
        .into_iter()
        .map(|field| json!({"field": field, "code": "NotBlank"}))
        .collect();
    if world.mutated("unord-error-missing") {
        errors.pop();
    }
    Answer::json(400, json!({"status": "refused", "errors": errors}))
}
