//! Crypt: hashes, signatures and tokens.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use steady_model::rerun::Category::{Crypt, Rand};

use super::{Answer, Route, RouteRequest, World};
use crate::catalogue::label::Mover::{Call as EachCall, Clock};
use crate::catalogue::label::{on, varies};

const BCRYPT: &str = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

pub(crate) const ROUTES: &[Route] = &[
    Route::new(
        "GET /crypt/password",
        |world, _| {
            let scheme = if world.mutated("crypt-password-scheme") { "$1$" } else { "$2a$10$" };
            let hash = format!("{scheme}{}", world.draw.text(BCRYPT, 53));
            Answer::ok(json!({"username": "ada", "password": hash, "enabled": true}))
        },
        &[on(200)
            .flaky(&[varies("body:/password", Crypt, EachCall)])
            .stable(&["body:/username", "body:/enabled"])],
    )
    .mutants(&["crypt-password-scheme"]),
    Route::new(
        "GET /crypt/token",
        token,
        &[on(200).flaky(&[varies("body:/token", Crypt, Clock)]).stable(&["body:/type"])],
    )
    .mutants(&["crypt-token-role", "crypt-token-subject", "crypt-token-opaque"]),
    Route::new(
        "GET /crypt/signature",
        |world, _| {
            let (nonce, signature) = (world.draw.hex(16), world.draw.hex(64));
            Answer::ok(json!({"nonce": nonce, "hmac": signature, "algorithm": "HS256"}))
        },
        &[on(200)
            .flaky(&[
                varies("body:/nonce", Crypt, EachCall).or(Rand),
                varies("body:/hmac", Crypt, EachCall).or(Rand),
            ])
            .stable(&["body:/algorithm"])],
    ),
    Route::new(
        "GET /crypt/key",
        |world, _| {
            let bytes: Vec<u8> = (0..4).flat_map(|_| world.draw.word().to_be_bytes()).collect();
            let key = STANDARD.encode(bytes);
            Answer::ok(json!({"key": if world.mutated("crypt-key-short") { &key[..8] } else { &key }}))
        },
        &[on(200).flaky(&[varies("body:/key", Crypt, EachCall).or(Rand)])],
    )
    .mutants(&["crypt-key-short"]),
];

/// A JSON web token whose claims are fixed but for the time it was issued at.
fn token(world: &mut World, _: &RouteRequest) -> Answer {
    if world.mutated("crypt-token-opaque") {
        return Answer::ok(json!({"token": world.draw.hex(40), "type": "Bearer"}));
    }
    let role = if world.mutated("crypt-token-role") { "admin" } else { "customer" };
    let subject = if world.mutated("crypt-token-subject") { "user-8" } else { "user-7" };
    let issued = world.now().as_second();
    let claims = json!({"sub": subject, "role": role, "iat": issued, "exp": issued + 900});
    let signed = format!("{}.{}", part(&json!({"alg": "HS256", "typ": "JWT"})), part(&claims));
    // It is never checked: only its dependence on the signed content matters here.
    let signature: Vec<u8> = (0..4).flat_map(|block| mix(&signed, block).to_be_bytes()).collect();
    Answer::ok(json!({"token": format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)), "type": "Bearer"}))
}

fn part(value: &Value) -> String {
    URL_SAFE_NO_PAD.encode(value.to_string())
}

/// FNV-1a, from a basis of its own for every block.
fn mix(text: &str, block: u64) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ block.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    text.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
