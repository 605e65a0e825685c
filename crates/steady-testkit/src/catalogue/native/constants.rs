//! Look-alikes: values that look as if they varied and never do. An exact assertion on each has to stay.

use serde_json::{Value, json};

use super::{Answer, Route, World};
use crate::catalogue::label::on;

const TOKEN: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJkb2NzIiwiaWF0IjoxNzAwMDAwMDAwfQ.\
    c2FtcGxlLXNpZ25hdHVyZS1vZi1ub2JvZHk";
const LOGO: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const DIGEST: &str = "9f2feb0f1ef425b292f2f94bc8482494df430413c9f7e2a4b6d2a1e3c5f60718";

pub(crate) const ROUTES: &[Route] = &[
    Route::new(
        "GET /constants/release",
        |world, _| {
            Answer::ok(json!({
                "version": world.unless("constants-version", "4.12.0", "4.12.1"),
                "released": world.unless("constants-release-date", "2024-03-15", "2024-03-16"),
                "released_at": world.unless("constants-release-time", "2024-03-15T09:30:00Z", "2024-03-15T10:30:00Z"),
                "announced": world.unless(
                    "constants-announcement",
                    "Fri, 15 Mar 2024 09:30:00 GMT",
                    "Mon, 18 Mar 2024 09:30:00 GMT",
                ),
            }))
        },
        &[on(200).stable(&["body:/version", "body:/released", "body:/released_at", "body:/announced"])],
    )
    .mutants(&["constants-version", "constants-release-date", "constants-release-time", "constants-announcement"]),
    Route::new(
        "GET /constants/tenant",
        |world, _| {
            let id = world.unless(
                "constants-tenant",
                "6f1c0e9a-3b52-4d4e-9c0b-7a1d2e5f8b34",
                "6f1c0e9a-3b52-4d4e-9c0b-7a1d2e5f8b35",
            );
            Answer::ok(json!({"tenant_id": id, "default_ulid": "01HRZ8Q5J6T3V9X2B4N7M1K0CD"}))
        },
        &[on(200).stable(&["body:/tenant_id", "body:/default_ulid"])],
    )
    .hints(&[("tenant_id", r#"{"format":"uuid"}"#)])
    .mutants(&["constants-tenant"]),
    Route::new(
        "GET /constants/founder",
        |world, _| {
            let born = if world.mutated("constants-birthday") { 655_430_400 } else { 655_344_000 };
            Answer::ok(json!({"name": "Ada", "born": born, "joined_ms": 1_700_000_000_000_i64}))
        },
        &[on(200).stable(&["body:/name", "body:/born", "body:/joined_ms"])],
    )
    .mutants(&["constants-birthday"]),
    Route::new(
        "GET /constants/asset",
        |world, _| {
            let other = DIGEST.replacen('9', "8", 1);
            let digest = world.unless("constants-digest", DIGEST, &other);
            Answer::ok(json!({"file": "app.js", "sha256": digest, "commit": "5d41402abc4b2a76b9719d911017c592a1b2c3d4"}))
                .with("x-build", "b7e23ec29af22b0b".to_owned())
        },
        &[on(200).stable(&["body:/file", "body:/sha256", "body:/commit", "header:x-build"])],
    )
    .mutants(&["constants-digest"]),
    Route::new(
        "GET /constants/docs",
        |world, _| {
            Answer::ok(json!({
                "sample_token": TOKEN,
                "example": world.unless(
                    "constants-docs-example",
                    "toString prints shop.Cart@1b6d3586",
                    "toString prints shop.Cart@1b6d3587",
                ),
                "python": "repr prints <shop.Order object at 0x7f3c2a1b4d90>",
                "url": world.unless("constants-docs-port", "http://localhost:8080/docs", "http://localhost:9090/docs"),
                "note": "/tmp is not used, nor is /tmp/shop/upload.bin",
                "sample_hash": "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy",
            }))
        },
        &[on(200).stable(&[
            "body:/sample_token",
            "body:/example",
            "body:/python",
            "body:/url",
            "body:/note",
            "body:/sample_hash",
        ])],
    )
    .mutants(&["constants-docs-example", "constants-docs-port"]),
    Route::new("GET /constants/countries", |world, _| Answer::ok(countries(world)), &[
        on(200).stable(&["body:/countries", "body:/count"]),
    ])
    .mutants(&["constants-countries-order", "constants-countries-missing"]),
    Route::new(
        "GET /constants/logo",
        |_, _| Answer::ok(json!({"png": LOGO, "width": 1, "height": 1})),
        &[on(200).stable(&["body:/png", "body:/width", "body:/height"])],
    ),
    Route::new(
        "GET /constants/contact",
        |world, _| {
            let phone = world.unless("constants-phone", "+4917012345678", "+4917012345679");
            Answer::ok(json!({"phone": phone, "account": 4_017_283_945_061_i64, "mail": "ada@example.com"}))
        },
        &[on(200).stable(&["body:/phone", "body:/account", "body:/mail"])],
    )
    .mutants(&["constants-phone"]),
    Route::new(
        "GET /constants/limits",
        |world, _| {
            let timeout = if world.mutated("constants-timeout") { 300 } else { 250 };
            Answer::ok(json!({"timeout_ms": timeout, "max_age": "3600", "worker": "worker-7", "trial": false}))
        },
        &[on(200).stable(&["body:/timeout_ms", "body:/max_age", "body:/worker", "body:/trial"])],
    )
    .mutants(&["constants-timeout"]),
    Route::new(
        "GET /constants/retired",
        |world, _| {
            let status = if world.mutated("constants-retired-status") { 404 } else { 410 };
            Answer::json(status, json!({"error": "retired on 2023-06-30, request 0f8fad5b-d9cb-469f-a165-70867728950e"}))
        },
        &[on(410).stable(&["body:/error"])],
    )
    .mutants(&["constants-retired-status"]),
];

fn countries(world: &World) -> Value {
    let countries: &[&str] = match world {
        world if world.mutated("constants-countries-order") => &["DE", "AT", "CH", "FR", "PT"],
        world if world.mutated("constants-countries-missing") => &["AT", "CH", "DE", "FR"],
        _ => &["AT", "CH", "DE", "FR", "PT"],
    };
    json!({"countries": countries, "count": countries.len()})
}
