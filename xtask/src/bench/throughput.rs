//! `cargo xtask bench throughput`: requests per second of steady, of Schemathesis and of a bare keep-alive loop.
//!
//! The services answer faster than any tool asks, so the tool is what is measured. Every measurement has its service started
//! afresh; the three take turns, round after round, so other load of the machine affects all of them alike. The
//! loop uses steady's own client and as many connections as steady has workers.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::part::{self, Part};
use super::process::Running;
use super::schemathesis::AfterFailure;
use super::service::{self, Service, Site};
use super::services::{CedarAgent, Shop};
use super::{schemathesis, steady, table};
use crate::step::Steps;

/// steady's requests per second over Schemathesis'.
const GOAL_OVER_PEER: f64 = 40.0;
/// steady's requests per second over the bare loop's.
const GOAL_OVER_BARE: f64 = 0.70;

/// How long and how often.
#[derive(Debug, Args)]
pub struct Options {
    /// Time for each measurement.
    #[arg(long, default_value = "10s", value_parser = super::duration)]
    time: Duration,
    /// How often each is measured; the median counts.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// steady's workers, and the loop's connections; one is steady's default, and Schemathesis'.
    #[arg(long, default_value_t = 1)]
    workers: usize,
}

/// A service, and a path of it that answers 2xx and is cheap to serve.
type MeasuredService = (Box<dyn Service>, &'static str);

/// Runs the benchmark.
pub fn run(options: &Options) -> Result<()> {
    ensure!(options.rounds > 0, "at least one round is needed");
    let targets: [MeasuredService; 2] = [(Box::new(CedarAgent), "/"), (Box::new(Shop), "/health")];
    schemathesis::install()?;
    steady::build()?;
    Steps::default().run("build keepalive", part::command(Part::Keepalive).arg("--no-run"))?;
    let mut rows = Vec::new();
    for (service, path) in &targets {
        service.install().with_context(|| format!("could not install {}", service.title()))?;
        rows.push(Rates::measure(service.as_ref(), path, options)?.row(service.title()));
    }
    println!("\n{}", table::render(HEADER, &rows));
    println!("Requests per second, medians of {} rounds of {} s.", options.rounds, options.time.as_secs());
    println!("Goals: steady/Schemathesis at least {GOAL_OVER_PEER}, steady/loop at least {GOAL_OVER_BARE}.");
    Ok(())
}

const HEADER: &[&str] = &[
    "service",
    "goals",
    "loop",
    "steady",
    "Schemathesis",
    "steady/Schemathesis",
    "steady/loop",
    "steady MB",
];

/// One value per round.
#[derive(Debug, Default)]
struct Rates {
    bare: Vec<f64>,
    steady: Vec<f64>,
    schemathesis: Vec<f64>,
    peak_memory: u64,
}

impl Rates {
    fn measure(service: &dyn Service, path: &str, options: &Options) -> Result<Self> {
        let mut rates = Self::default();
        for round in 1..=options.rounds {
            let site = service::start(service, "throughput-loop")?;
            rates.bare.push(bare(&site, path, options)?);
            drop(site);
            let site = service::start(service, "throughput-steady")?;
            let workers = ["--workers".to_owned(), options.workers.to_string()];
            let record = steady::run(&site, options.time, round as u64, &workers)?;
            rates.steady.push(record.requests_per_second);
            rates.peak_memory = rates.peak_memory.max(record.peak_memory);
            drop(site);
            let site = service::start(service, "throughput-schemathesis")?;
            rates.schemathesis.push(
                schemathesis::run(&site, options.time, round as u64, AfterFailure::Stop)?.requests_per_second,
            );
            let last = |rates: &[f64]| rates.last().copied().unwrap_or_default();
            println!(
                "{} round {round}: loop {:.0}/s, steady {:.0}/s, Schemathesis {:.0}/s",
                service.title(),
                last(&rates.bare),
                last(&rates.steady),
                last(&rates.schemathesis),
            );
        }
        Ok(rates)
    }

    fn row(mut self, title: &str) -> Vec<String> {
        let (bare, steady) = (median(&mut self.bare), median(&mut self.steady));
        let schemathesis = median(&mut self.schemathesis);
        let (over_peer, over_bare) = (steady / schemathesis, steady / bare);
        let met = over_peer >= GOAL_OVER_PEER && over_bare >= GOAL_OVER_BARE;
        vec![
            title.to_owned(),
            if met { "met" } else { "NOT MET" }.to_owned(),
            format!("{bare:.0}"),
            format!("{steady:.0}"),
            format!("{schemathesis:.0}"),
            format!("{over_peer:.1}"),
            format!("{over_bare:.2}"),
            (self.peak_memory / 1_000_000).to_string(),
        ]
    }
}

/// The keep-alive loop on its own.
fn bare(site: &Site, path: &str, options: &Options) -> Result<f64> {
    let mut command = part::command(Part::Keepalive);
    command.arg("--").args([&site.base, path]);
    command.args([options.time.as_secs().to_string(), options.workers.to_string()]);
    let log = site.folder.join("keepalive.log");
    let ended = Running::start(&mut command, &log)?
        .wait(options.time * 2 + Duration::from_secs(30))
        .context("keepalive")?;
    let text = fs::read_to_string(&log).with_context(|| format!("could not read {}", log.display()))?;
    ensure!(ended.code == Some(0), "the keep-alive loop failed:\n{text}");
    text.trim().parse().with_context(|| format!("no figure in the keep-alive loop's output:\n{text}"))
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_or_between_the_two_middle_values() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
