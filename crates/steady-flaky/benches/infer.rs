//! How long suspecting takes: once to compile the patterns, then per value.
//!
//! Run with `cargo xtask bench part infer`.

use std::hint::black_box;
use std::time::Instant;

use jiff::Timestamp;
use serde_json::Value;
use steady_flaky::infer::{Context, suspect};

const VALUES: [&str; 8] = [
    "Ada Lovelace",
    "2026-03-10T12:00:00Z",
    "f47ac10b-58cc-4372-a567-0e02b2c3d479",
    "must match ^[a-zA-Z0-9]*$",
    "org.springframework.web.bind.MethodArgumentNotValidException",
    "no field in com.shop.Cart@1b6d3586 (Cart.java:42)",
    "/api/v1/organisations/departments",
    "available",
];
const ROUNDS: u32 = 5_000;

#[expect(clippy::print_stdout, reason = "an example that reports to its reader")]
fn main() {
    let context = Context::new("value", Timestamp::constant(1_773_144_000, 0));
    let values: Vec<Value> = VALUES.iter().map(|text| Value::from(*text)).collect();
    let start = Instant::now();
    black_box(suspect(&values[0], &context));
    println!("first value, patterns compiled: {:?}", start.elapsed());
    let start = Instant::now();
    for _ in 0..ROUNDS {
        for value in &values {
            black_box(suspect(black_box(value), &context));
        }
    }
    println!("each further value: {:?}", start.elapsed() / (ROUNDS * VALUES.len() as u32));
}
