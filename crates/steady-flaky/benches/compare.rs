//! How long comparing takes: milliseconds per 10,000 pairs of 10 kB JSON responses, and the ratio to parsing the same bytes
//! with `serde_json` alone.
//!
//! Run with `cargo xtask bench part compare`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use steady_flaky::Comparison;
use steady_model::{Payload, Response};

const PAIRS: u32 = 10_000;
/// The work is split into rounds and the fastest counts: others may be using the machine.
const ROUNDS: u32 = 100;
const ITEMS: usize = 50;

#[expect(clippy::print_stdout, reason = "an example that reports to its reader")]
fn main() {
    let base = body(0);
    let leaf = response(&body(1));
    let equal = response(&base);
    let mut shuffled = base.clone();
    if let Some(items) = shuffled["items"].as_array_mut() {
        items.reverse();
    }
    let shuffled = response(&shuffled);
    let first = response(&base);
    let bytes = first.body.as_bytes().len();
    println!("{bytes} bytes per response, {PAIRS} pairs");
    let parse = time(|| {
        for response in [&first, &leaf] {
            black_box(serde_json::from_slice::<Value>(response.body.as_bytes()).ok());
        }
    });
    println!("{:24} {:>7.0} ms", "parse both (serde_json)", milliseconds(parse));
    for (name, other) in [("equal bytes", &equal), ("two leaves differ", &leaf), ("shuffled list", &shuffled)]
    {
        let found = Comparison::of(&[&first, other]).variations.len();
        let spent = time(|| {
            black_box(Comparison::of(black_box(&[&first, other])));
        });
        let ratio = spent.as_secs_f64() / parse.as_secs_f64();
        println!("{name:24} {:>7.0} ms  {ratio:.2}× of parsing, {found} variations", milliseconds(spent));
    }
}

fn time(mut work: impl FnMut()) -> Duration {
    let round = |_| {
        let start = Instant::now();
        (0..PAIRS / ROUNDS).for_each(|_| work());
        start.elapsed()
    };
    (0..ROUNDS).map(round).min().unwrap_or_default() * ROUNDS
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}

/// A page of orders; `run` shows in a timestamp and in one item's counter.
fn body(run: u64) -> Value {
    let items: Vec<Value> = (0..ITEMS)
        .map(|index| {
            let views = if index == ITEMS / 2 { run } else { 7 };
            json!({
                "id": 1_000 + index, "name": format!("Item number {index}"), "price": 19.99 + index as f64,
                "tags": ["new", "sale", "blue"], "available": index % 3 == 0, "note": null, "views": views,
                "maker": {"name": "Tools & Sons", "country": "NO", "since": 1921},
            })
        })
        .collect();
    json!({"served": format!("2026-03-10T12:00:0{run}Z"), "total": ITEMS, "items": items})
}

fn response(body: &Value) -> Response {
    Response {
        status: 200,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: Payload::Text(body.to_string().into()),
        truncated: false,
    }
}
