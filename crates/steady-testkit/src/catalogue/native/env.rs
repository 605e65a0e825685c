//! Env: what depends on where and how the program runs.

use std::env;

use serde_json::json;
use steady_model::rerun::Category::{Env, Rand, RunMsg, Time};

use super::{Answer, Route, RouteRequest, World};
use crate::catalogue::label::Mover::{Folder, Locale, Machine, Port, Restart, Temp};
use crate::catalogue::label::{on, varies};

pub(crate) const ROUTES: &[Route] = &[
    Route::new(
        "GET /env/temp",
        |world, _| {
            let file = if world.mutated("env-temp-file") { "download.bin" } else { "upload.bin" };
            Answer::ok(json!({"path": env::temp_dir().join("shop").join(file), "free": true}))
        },
        &[on(200).flaky(&[varies("body:/path", Env, Temp)]).stable(&["body:/free"])],
    )
    .mutants(&["env-temp-file"]),
    Route::new(
        "GET /env/upload",
        |_, _| {
            let folder = env::temp_dir().join("shop");
            Answer::json(507, json!({"error": format!("cannot write {}/part-1: quota exceeded", folder.display())}))
        },
        &[on(507).flaky(&[varies("body:/error", Env, Temp)])],
    ),
    Route::new(
        "GET /env/port",
        |world, _| {
            let path = if world.mutated("env-port-path") { "file" } else { "files" };
            Answer::ok(json!({"url": format!("http://127.0.0.1:{}/{path}", world.port)}))
        },
        &[on(200).flaky(&[varies("body:/url", Env, Port)])],
    )
    .mutants(&["env-port-path"]),
    Route::new(
        "GET /env/process",
        |_, _| Answer::ok(json!({"pid": std::process::id(), "role": "primary"})),
        &[on(200).flaky(&[varies("body:/pid", Env, Restart).or(RunMsg)]).stable(&["body:/role"])],
    ),
    Route::new(
        "GET /env/host",
        |_, _| {
            let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
            Answer::ok(json!({"host": name, "zone": "eu-1"}))
        },
        &[on(200).flaky(&[varies("body:/host", Env, Machine)]).stable(&["body:/zone"])],
    ),
    Route::new(
        "GET /env/boot",
        |world, _| {
            let since = if world.mutated("env-boot-format") {
                world.started.as_second().to_string()
            } else {
                world.started.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string()
            };
            Answer::ok(json!({"started_at": since, "instance": world.instance, "service": "shop"}))
        },
        &[on(200)
            .flaky(&[
                varies("body:/started_at", Env, Restart).or(Time),
                varies("body:/instance", Env, Restart).or(Rand),
            ])
            .stable(&["body:/service"])],
    )
    .mutants(&["env-boot-format"]),
    Route::new(
        "GET /env/folder",
        |_, _| {
            let folder = env::current_dir().unwrap_or_default();
            Answer::ok(json!({"config": folder.join("shop.toml"), "loaded": true}))
        },
        &[on(200).flaky(&[varies("body:/config", Env, Folder)]).stable(&["body:/loaded"])],
    ),
    Route::new("POST /env/customers", customer, &[
        on(201).stable(&["body:/created"]),
        on(400).flaky(&[varies("body:/message", Env, Locale)]).stable(&["body:/field"]),
    ])
    .body(
        r#"{"type":"object","required":["name"],"properties":{"name":{"type":"string","pattern":"^[a-z]+$"}}}"#,
        r#"{"name":"ada"}"#,
    )
    .refused(r#"{"name":"Ada 1"}"#)
    .mutants(&["env-customer-field"]),
    Route::new(
        "GET /env/invoice",
        |world, _| {
            let whole = if world.mutated("env-invoice-amount") { "9" } else { "1" };
            let total = match world.language().as_str() {
                "de" | "tr" | "es" | "it" | "pt" => format!("{whole}.234,50"),
                "fr" | "pl" | "ru" | "uk" | "cs" => format!("{whole}\u{a0}234,50"),
                _ => format!("{whole},234.50"),
            };
            Answer::ok(json!({"total": total, "currency": "EUR"}))
        },
        &[on(200).flaky(&[varies("body:/total", Env, Locale)]).stable(&["body:/currency"])],
    )
    .mutants(&["env-invoice-amount"]),
];

/// As a validator in the machine's language does.
fn customer(world: &mut World, call: &RouteRequest) -> Answer {
    let valid = |name: &str| name.bytes().all(|letter| letter.is_ascii_lowercase());
    if call.text("name").is_some_and(valid) {
        return Answer::json(201, json!({"created": true}));
    }
    let demand = match world.language().as_str() {
        "de" => "muss mit \"^[a-z]+$\" übereinstimmen",
        "tr" => "\"^[a-z]+$\" ile eşleşmeli",
        "fr" => "doit correspondre à \"^[a-z]+$\"",
        "es" => "debe coincidir con \"^[a-z]+$\"",
        "ja" => "正規表現 \"^[a-z]+$\" に一致させてください",
        _ => "must match \"^[a-z]+$\"",
    };
    let field = if world.mutated("env-customer-field") { "surname" } else { "name" };
    Answer::json(400, json!({"field": field, "message": demand}))
}
