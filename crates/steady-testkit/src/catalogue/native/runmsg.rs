//! RunMsg: messages with what only this run of the program knows.

use serde_json::json;
use steady_model::rerun::Category::{Rand, RunMsg};

use super::{Answer, Route, RouteRequest, World};
use crate::catalogue::label::Mover::Call as EachCall;
use crate::catalogue::label::{on, varies};

pub(crate) const ROUTES: &[Route] = &[
    Route::new(
        "GET /runmsg/jvm-object",
        |world, _| {
            let class = if world.mutated("runmsg-other-class") { "Basket" } else { "Cart" };
            let message = format!("cannot write shop.{class}@{}", world.draw.hex(8));
            Answer::json(500, json!({"error": message, "path": "/runmsg/jvm-object"}))
        },
        &[on(500).flaky(&[varies("body:/error", RunMsg, EachCall)]).stable(&["body:/path"])],
    )
    .mutants(&["runmsg-other-class"]),
    Route::new(
        "GET /runmsg/python-object",
        |world, _| {
            let message = format!("<shop.Order object at 0x7f{}> is not JSON serializable", world.draw.hex(10));
            Answer::json(500, json!({"detail": message, "type": "TypeError"}))
        },
        &[on(500).flaky(&[varies("body:/detail", RunMsg, EachCall)]).stable(&["body:/type"])],
    ),
    Route::new(
        "GET /runmsg/pointer",
        |world, _| {
            let status = if world.mutated("runmsg-pointer-status") { 500 } else { 503 };
            Answer::json(status, json!({"detail": format!("buffer 0x{} is in use", world.draw.hex(12)), "retry": true}))
        },
        &[on(503).flaky(&[varies("body:/detail", RunMsg, EachCall)]).stable(&["body:/retry"])],
    )
    .mutants(&["runmsg-pointer-status"]),
    Route::new("GET /runmsg/stack", stack, &[on(500)
        .flaky(&[varies("body:/trace/1", RunMsg, EachCall)])
        .stable(&["body:/error", "body:/trace/0", "body:/trace/2"])])
    .mutants(&["runmsg-stack-frame"]),
    Route::new(
        "GET /runmsg/thread",
        |world, _| {
            let thread = 1 + world.draw.choose("thread", 16);
            let message = format!("[pool-2-thread-{thread}] the queue is full");
            Answer::json(503, json!({"message": message, "limit": 64}))
        },
        &[on(503).flaky(&[varies("body:/message", RunMsg, EachCall)]).stable(&["body:/limit"])],
    ),
    Route::new("POST /runmsg/orders", order, &[
        on(201).stable(&["body:/state"]),
        on(400).flaky(&[varies("body:/message", RunMsg, EachCall).or(Rand)]).stable(&["body:/error"]),
    ])
    .body(
        r#"{"type":"object","required":["quantity"],"properties":{"quantity":{"type":"integer","minimum":1,"maximum":99}}}"#,
        r#"{"quantity":2}"#,
    )
    .refused(r#"{"quantity":0}"#)
    .mutants(&["runmsg-order-reason", "runmsg-order-accepted"]),
];

/// The compiler numbers what has no name of its own, in an order that is not fixed.
fn stack(world: &mut World, _: &RouteRequest) -> Answer {
    let (number, line) = (world.draw.choose("lambda", 30), 100 + world.draw.choose("line", 90));
    let first = if world.mutated("runmsg-stack-frame") { "discount" } else { "total" };
    let trace = [
        format!("at shop.Cart.{first}(Cart.java:42)"),
        format!("at shop.Cart$$Lambda${number}/0x{}.run(Cart.java:{line})", world.draw.hex(16)),
        "at shop.Main.main(Main.java:7)".to_owned(),
    ];
    Answer::json(500, json!({"error": "IllegalStateException", "trace": trace}))
}

fn order(world: &mut World, call: &RouteRequest) -> Answer {
    let quantity = call.body["quantity"].as_i64().filter(|quantity| (1..=99).contains(quantity));
    if quantity.is_some() || world.mutated("runmsg-order-accepted") {
        return Answer::json(201, json!({"state": "open", "quantity": quantity.unwrap_or(1)}));
    }
    let reason = if world.mutated("runmsg-order-reason") { "is unknown" } else { "is out of range" };
    let message = format!("quantity {reason} (request {})", world.draw.hex(16));
    Answer::json(400, json!({"error": "invalid_order", "message": message}))
}
