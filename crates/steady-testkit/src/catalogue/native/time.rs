//! Time: what depends on the clock.

use jiff::Timestamp;
use jiff::fmt::rfc2822;
use serde_json::json;
use steady_model::rerun::Category::{Async, Env, Time};

use super::{Answer, Route, RouteRequest, World};
use crate::catalogue::label::Mover::{Call as EachCall, Clock, Zone};
use crate::catalogue::label::{on, varies};

pub(crate) const ROUTES: &[Route] = &[
    Route::new(
        "GET /time/iso",
        |world, _| {
            let now = world.now();
            let at = if world.mutated("time-iso-other-format") {
                now.strftime("%d.%m.%Y %H:%M").to_string()
            } else {
                now.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string()
            };
            Answer::ok(json!({"at": at, "clock": "UTC"}))
        },
        &[on(200).flaky(&[varies("body:/at", Time, Clock)]).stable(&["body:/clock"])],
    )
    .mutants(&["time-iso-other-format"]),
    Route::new(
        "GET /time/iso-seconds",
        |world, _| Answer::ok(json!({"at": world.now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()})),
        &[on(200).flaky(&[varies("body:/at", Time, Clock)])],
    ),
    Route::new(
        "GET /time/iso-offset",
        |world, _| Answer::ok(json!({"at": world.local().strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()})),
        &[on(200).flaky(&[varies("body:/at", Time, Clock)])],
    ),
    Route::new(
        "GET /time/http-date",
        |world, _| Answer::ok(json!({"served": http_date(world.now())})),
        &[on(200).flaky(&[varies("body:/served", Time, Clock)])],
    ),
    Route::new(
        "GET /time/epoch",
        |world, _| {
            let now = world.now();
            let unit = if world.mutated("time-epoch-unit") { 1_000 } else { 1 };
            Answer::ok(json!({"seconds": now.as_second() * unit, "millis": now.as_millisecond()}))
        },
        &[on(200).flaky(&[varies("body:/seconds", Time, Clock), varies("body:/millis", Time, Clock)])],
    )
    .mutants(&["time-epoch-unit"]),
    Route::new(
        "GET /time/today",
        |world, _| {
            let format = if world.mutated("time-today-other-format") { "%m/%d/%Y" } else { "%Y-%m-%d" };
            Answer::ok(json!({"today": world.now().strftime(format).to_string(), "office": "Lisbon"}))
        },
        &[on(200).flaky(&[varies("body:/today", Time, Clock)]).stable(&["body:/office"])],
    )
    .mutants(&["time-today-other-format"]),
    Route::new(
        "GET /time/weekday",
        |world, _| Answer::ok(json!({"weekday": world.now().strftime("%A").to_string()})),
        &[on(200).flaky(&[varies("body:/weekday", Time, Clock)])],
    ),
    Route::new(
        "GET /time/greeting",
        |world, _| {
            let greetings = ["Good night", "Good morning", "Good afternoon", "Good evening"];
            let part_of_day = usize::try_from(world.local().hour() / 6).unwrap_or_default();
            let name = if world.mutated("time-greeting-name") { "Bob" } else { "Ada" };
            Answer::ok(json!({"greeting": greetings[part_of_day], "name": name}))
        },
        &[on(200).flaky(&[varies("body:/greeting", Time, Zone).or(Env)]).stable(&["body:/name"])],
    )
    .mutants(&["time-greeting-name"]),
    Route::new(
        "GET /time/local-hour",
        |world, _| {
            let local = world.local();
            Answer::ok(json!({"hour": local.hour(), "offset": local.strftime("%:z").to_string()}))
        },
        &[on(200)
            .flaky(&[varies("body:/hour", Time, Zone).or(Env), varies("body:/offset", Time, Zone).or(Env)])],
    ),
    Route::new(
        "POST /time/notes",
        note,
        &[
            on(201).flaky(&[varies("body:/created_at", Time, Clock)]).stable(&["body:/kind"]),
            on(400).stable(&["body:/error"]),
        ],
    )
    .body(
        r#"{"type":"object","required":["text"],"properties":{"text":{"type":"string","minLength":1}}}"#,
        r#"{"text":"buy milk"}"#,
    )
    .refused(r#"{"text":""}"#)
    .mutants(&["time-note-status", "time-note-without-time", "time-note-refusal"]),
    Route::new(
        "GET /time/header",
        |world, _| Answer::ok(json!({"ready": true})).with("x-generated-at", http_date(world.now())),
        &[on(200).flaky(&[varies("header:x-generated-at", Time, Clock)]).stable(&["body:/ready"])],
    ),
    Route::new(
        "GET /time/backup",
        |world, _| {
            let how = if world.mutated("time-backup-failed") { "failed" } else { "finished" };
            let at = world.now().strftime("%Y-%m-%d %H:%M:%S");
            Answer::ok(json!({"message": format!("backup {how} at {at}, 3 files"), "files": 3}))
        },
        &[on(200).flaky(&[varies("body:/message", Time, Clock)]).stable(&["body:/files"])],
    )
    .mutants(&["time-backup-failed"]),
    Route::new(
        "GET /time/banner",
        |world, _| {
            Answer::text(format!("shop 4.12.0, generated {}\n", world.now().strftime("%Y-%m-%d %H:%M:%S")))
        },
        &[on(200).flaky(&[varies("body:", Time, Clock)])],
    ),
    Route::new(
        "GET /time/voucher",
        |world, _| {
            let issued = world.now().as_second();
            let valid = if world.mutated("time-voucher-too-long") { 7_200 } else { 3_600 };
            Answer::ok(json!({"issued": issued, "expires": issued + valid, "code": "SPRING"}))
        },
        &[on(200)
            .flaky(&[varies("body:/issued", Time, Clock), varies("body:/expires", Time, Clock)])
            .stable(&["body:/code"])],
    )
    .mutants(&["time-voucher-too-long"]),
    Route::new(
        "GET /time/search",
        |world, _| {
            let took = 3 + world.draw.choose("took", 20);
            Answer::ok(json!({"hits": 2, "took_ms": took}))
        },
        &[on(200).flaky(&[varies("body:/took_ms", Time, EachCall).or(Async)]).stable(&["body:/hits"])],
    ),
];

fn note(world: &mut World, call: &RouteRequest) -> Answer {
    let Some(text) = call.text("text") else {
        let error = if world.mutated("time-note-refusal") { "no" } else { "text is missing or empty" };
        return Answer::json(400, json!({"error": error}));
    };
    let status = if world.mutated("time-note-status") { 200 } else { 201 };
    let mut note = json!({"text": text, "kind": "note"});
    if !world.mutated("time-note-without-time") {
        note["created_at"] = json!(world.now().strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string());
    }
    Answer::json(status, note)
}

/// As in RFC 1123.
fn http_date(at: Timestamp) -> String {
    rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&at).unwrap_or_default()
}
