//! Rand: what is drawn at random.

use serde_json::json;
use steady_model::rerun::Category::{Crypt, Rand};

use super::{Answer, Route, RouteRequest, World};
use crate::catalogue::label::Mover::Call as EachCall;
use crate::catalogue::label::{on, varies};

const COLOURS: [&str; 4] = ["red", "green", "blue", "yellow"];
const CROCKFORD: &str = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const URL_SAFE: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz-";

pub(crate) const ROUTES: &[Route] = &[
    Route::new(
        "GET /price/estimate",
        estimate,
        &[
            on(200).flaky(&[varies("body:/jitter", Rand, EachCall), varies("body:/total", Rand, EachCall)]),
            on(400).stable(&["body:/error"]),
        ],
    )
    .parameters(&[("base", "integer", "100")])
    .mutants(&["rand-total", "rand-jitter-too-large", "rand-base", "rand-base-missing"]),
    Route::new(
        "GET /rand/uuid",
        |world, _| {
            let id = world.draw.uuid();
            let id = if world.mutated("rand-uuid-number") { "4711".to_owned() } else { id };
            Answer::ok(json!({"id": id, "kind": "order"}))
        },
        &[on(200).flaky(&[varies("body:/id", Rand, EachCall)]).stable(&["body:/kind"])],
    )
    .hints(&[("id", r#"{"format":"uuid"}"#)])
    .mutants(&["rand-uuid-number"]),
    Route::new("GET /rand/ulid", ulid, &[on(200).flaky(&[varies("body:/id", Rand, EachCall)])])
        .mutants(&["rand-ulid-lower-case"]),
    Route::new(
        "GET /rand/nanoid",
        |world, _| Answer::ok(json!({"slug": world.draw.text(URL_SAFE, 21)})),
        &[on(200).flaky(&[varies("body:/slug", Rand, EachCall)])],
    ),
    Route::new(
        "GET /rand/ticket",
        |world, _| Answer::ok(json!({"ticket": world.draw.word() >> 24, "desk": 4})),
        &[on(200).flaky(&[varies("body:/ticket", Rand, EachCall)]).stable(&["body:/desk"])],
    ),
    Route::new(
        "GET /rand/score",
        |world, _| {
            let unit = if world.mutated("rand-score-above-range") { 1_000.0 } else { 1.0 };
            Answer::ok(json!({"score": world.draw.fraction("score") * unit}))
        },
        &[on(200).flaky(&[varies("body:/score", Rand, EachCall)])],
    )
    .hints(&[("score", r#"{"minimum":0,"maximum":1}"#)])
    .mutants(&["rand-score-above-range"]),
    Route::new(
        "GET /rand/colour",
        |world, _| {
            let chosen = COLOURS[world.draw.choose("colour", COLOURS.len())];
            let colour = if world.mutated("rand-colour-unknown") { "plaid" } else { chosen };
            Answer::ok(json!({"colour": colour, "size": "M"}))
        },
        &[on(200).flaky(&[varies("body:/colour", Rand, EachCall)]).stable(&["body:/size"])],
    )
    .hints(&[("colour", r#"{"enum":["red","green","blue","yellow"]}"#)])
    .mutants(&["rand-colour-unknown"]),
    Route::new(
        "GET /rand/coin",
        |world, _| {
            let heads = world.draw.choose("coin", 2) == 1;
            Answer::ok(if world.mutated("rand-coin-text") {
                json!({"heads": heads.to_string()})
            } else {
                json!({"heads": heads})
            })
        },
        &[on(200).flaky(&[varies("body:/heads", Rand, EachCall)])],
    )
    .mutants(&["rand-coin-text"]),
    Route::new(
        "POST /rand/session",
        |world, _| {
            let (token, cookie) = (world.draw.hex(32), world.draw.hex(24));
            Answer::json(201, json!({"user": "ada"}))
                .with("x-session-token", token)
                .with("set-cookie", format!("sid={cookie}; Path=/; HttpOnly"))
        },
        &[on(201)
            .flaky(&[
                varies("header:x-session-token", Rand, EachCall).or(Crypt),
                varies("header:set-cookie", Rand, EachCall).or(Crypt),
            ])
            .stable(&["body:/user"])],
    ),
    Route::new(
        "GET /rand/link",
        |world, _| {
            let id = world.draw.uuid();
            let linked = if world.mutated("rand-link-elsewhere") { world.draw.uuid() } else { id.clone() };
            Answer::ok(json!({"id": id, "self": format!("https://shop.test/orders/{linked}/items")}))
        },
        &[on(200).flaky(&[varies("body:/id", Rand, EachCall), varies("body:/self", Rand, EachCall)])],
    )
    .mutants(&["rand-link-elsewhere"]),
];

/// The example in the study's Figure 1.
fn estimate(world: &mut World, call: &RouteRequest) -> Answer {
    let Some(base) = call.integer("base").filter(|base| (0..=1_000_000).contains(base)) else {
        return Answer::json(400, json!({"error": "base is not a number between 0 and 1000000"}));
    };
    let mut jitter = i64::try_from(world.draw.choose("jitter", 10)).unwrap_or_default();
    if world.mutated("rand-jitter-too-large") {
        jitter += 10_000;
    }
    let total = base + jitter + i64::from(world.mutated("rand-total"));
    let mut estimate = json!({"base": base, "jitter": jitter, "total": total});
    if world.mutated("rand-base") {
        estimate["base"] = json!(base + 1);
        estimate["total"] = json!(total + 1);
    }
    if world.mutated("rand-base-missing") {
        estimate = json!({"jitter": jitter, "total": total});
    }
    Answer::ok(estimate)
}

/// Ten characters of time, sixteen of chance.
fn ulid(world: &mut World, _: &RouteRequest) -> Answer {
    let mut millis = usize::try_from(world.now().as_millisecond()).unwrap_or_default();
    let mut time = [0_u8; 10];
    for letter in time.iter_mut().rev() {
        *letter = CROCKFORD.as_bytes()[millis % 32];
        millis /= 32;
    }
    let id = String::from_utf8_lossy(&time).into_owned() + &world.draw.text(CROCKFORD, 16);
    let id = if world.mutated("rand-ulid-lower-case") { format!("id_{}", id.to_lowercase()) } else { id };
    Answer::ok(json!({"id": id}))
}
