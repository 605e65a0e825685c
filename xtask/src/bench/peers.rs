//! `cargo xtask bench peers`: steady beside Schemathesis on real services.
//!
//! Each tool gets the service started afresh, the same document, credential, seed and time. Then it is asked whether the
//! service and the credential outlived the tool, and steady's emitted suite is run twice: against the service as steady
//! left it, and against one started afresh.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::record::Record;
use super::schemathesis::AfterFailure;
use super::service::{self, Service};
use super::suite::{self, SuiteRun};
use super::{schemathesis, services, steady, table};
use crate::paths;

/// What to compare, and for how long.
#[derive(Debug, Args)]
pub struct Options {
    /// Time for each tool on each service.
    #[arg(long, default_value = "60s", value_parser = super::duration)]
    time: Duration,
    /// Only these services.
    #[arg(long, value_delimiter = ',')]
    services: Vec<String>,
    /// Only these tools.
    #[arg(long, value_delimiter = ',')]
    only: Vec<Tool>,
    /// The seed both tools start from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the table to bench/RESULTS.md as well.
    #[arg(long)]
    write: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Tool {
    Schemathesis,
    SchemathesisContinuing,
    Steady,
}

/// How every column is counted; printed under every table.
const LEGEND: &str = "\
- 2xx: operations of the document that answered with a 2xx at least once, of all operations the tool reads in the document.
- server errors: distinct pairs of operation and message of 5xx answers, the message normalised by the same rules for both tools
  (quoted text, numbers and identifiers removed).
- faults: distinct faults of all kinds, as the tool itself de-duplicates them, so this column compares less exactly than the others; by
  kind: distinct pairs of operation and fault code, Schemathesis's codes translated to the Web Fuzzing Commons ones and steady's further ones.
- requests/s: while the tool was testing, its start-up and reports aside, straight to the service with nothing in between.
- seconds: the whole process. MB: the most memory it held.
- still up, credential: whether the service still ran and the credential was still accepted after the tool was done.
- suite: the emitted pytest suite, passed/all; live: against the service as the tool left it; fresh: against a new one.
- Schemathesis runs twice: with its defaults, and with `--continue-on-failure` (\"continuing\"), for neither finds more on every
  service. It is told to leave out operations that end the service, steady is not. Its figures are counted from its own record of every exchange, steady's from its events
  and findings.
";

/// Runs the benchmark.
pub fn run(options: &Options) -> Result<()> {
    let chosen = choose(&options.services)?;
    for service in &chosen {
        service.install().with_context(|| format!("could not install {}", service.title()))?;
    }
    let tools = if options.only.is_empty() { Tool::value_variants() } else { &options.only };
    for tool in tools {
        install(*tool)?;
    }
    let mut results = Vec::new();
    for service in &chosen {
        for tool in tools {
            println!("{} with {tool:?} for {} s …", service.title(), options.time.as_secs());
            let result = Measured::of(service.as_ref(), *tool, options);
            println!("  {}", result.as_line());
            results.push(result);
        }
    }
    report(options, &results)?;
    let lost = results.iter().filter(|result| result.error.is_some()).count();
    ensure!(lost == 0, "{lost} of {} runs could not be done; see the table", results.len());
    Ok(())
}

/// One row of the table.
#[derive(Debug, Serialize)]
struct Measured {
    service: &'static str,
    tool: String,
    record: Option<Record>,
    error: Option<String>,
}

impl Measured {
    /// Runs a tool against a service; a failed run is a row too, and the others continue.
    fn of(service: &dyn Service, tool: Tool, options: &Options) -> Self {
        let outcome = measure(service, tool, options);
        let error = outcome.as_ref().err().map(|error| format!("{error:#}"));
        Self { service: service.title(), tool: format!("{tool:?}"), record: outcome.ok(), error }
    }

    fn as_line(&self) -> String {
        match (&self.record, &self.error) {
            (Some(record), _) => {
                let Record { successful, server_errors, requests_per_second, .. } = record;
                let (successful, errors) = (successful.len(), server_errors.len());
                format!(
                    "{successful} operations with 2xx, {errors} server errors, {requests_per_second:.0} requests/s"
                )
            }
            (None, error) => format!("FAILED: {}", error.as_deref().unwrap_or_default()),
        }
    }

    fn as_row(&self) -> Vec<String> {
        let mut row = vec![self.service.to_owned()];
        let Some(record) = &self.record else {
            row.extend([self.tool.clone(), "failed".to_owned()]);
            row.resize(HEADER.len(), String::new());
            return row;
        };
        row.extend([
            record.tool.clone(),
            format!("{}/{}", record.successful.len(), record.operations),
            record.server_errors.len().to_string(),
            record.faults.to_string(),
            record.fault_kinds.len().to_string(),
            format!("{:.0}", record.requests_per_second),
            record.requests.to_string(),
            format!("{:.0}", record.seconds),
            (record.peak_memory / 1_000_000).to_string(),
            if record.service_alive { "alive" } else { "DEAD" }.to_owned(),
            record.credential_alive.map_or("–", |alive| if alive { "alive" } else { "LOST" }).to_owned(),
            suite_cell(record.suite_live),
            suite_cell(record.suite_fresh),
        ]);
        row
    }
}

const HEADER: &[&str] = &[
    "service",
    "tool",
    "2xx",
    "server errors",
    "faults",
    "by kind",
    "requests/s",
    "requests",
    "seconds",
    "MB",
    "still up",
    "credential",
    "suite live",
    "suite fresh",
];

fn suite_cell(run: Option<SuiteRun>) -> String {
    run.map_or_else(|| "–".to_owned(), |SuiteRun { passed, failed }| format!("{passed}/{}", passed + failed))
}

fn choose(names: &[String]) -> Result<Vec<Box<dyn Service>>> {
    let all = services::all();
    for name in names {
        let known: Vec<&str> = all.iter().map(|service| service.name()).collect();
        ensure!(known.contains(&name.as_str()), "unknown service `{name}`; known are {}", known.join(", "));
    }
    let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    Ok(all.into_iter().filter(|service| wanted(service.name())).collect())
}

fn install(tool: Tool) -> Result<()> {
    match tool {
        Tool::Schemathesis | Tool::SchemathesisContinuing => schemathesis::install(),
        Tool::Steady => {
            suite::install()?;
            steady::build()
        }
    }
}

fn measure(service: &dyn Service, tool: Tool, options: &Options) -> Result<Record> {
    let Options { time, seed, .. } = *options;
    let start = |occasion| service::start(service, occasion);
    let (mut site, mut record);
    match tool {
        Tool::Schemathesis => {
            site = start("schemathesis")?;
            record = schemathesis::run(&site, time, seed, AfterFailure::Stop)?;
        }
        Tool::SchemathesisContinuing => {
            site = start("schemathesis-continuing")?;
            record = schemathesis::run(&site, time, seed, AfterFailure::Continue)?;
        }
        Tool::Steady => {
            site = start("steady")?;
            record = steady::run(&site, time, seed, &[])?;
        }
    }
    record.service_alive = site.is_alive();
    record.credential_alive = site.credential_alive();
    if tool == Tool::Steady {
        let out = steady::output(&site);
        record.suite_live = Some(suite::run(&out, &site, "live")?);
        drop(site);
        let fresh = start("suite")?;
        record.suite_fresh = Some(suite::run(&out, &fresh, "fresh")?);
    }
    Ok(record)
}

fn report(options: &Options, results: &[Measured]) -> Result<()> {
    let rows: Vec<Vec<String>> = results.iter().map(Measured::as_row).collect();
    let table = table::render(HEADER, &rows);
    println!("\n{table}\n{LEGEND}");
    let file = paths::bench().join("peers.json");
    let text = serde_json::to_string_pretty(results).context("the results cannot be written as JSON")?;
    fs::write(&file, text).with_context(|| format!("could not write {}", file.display()))?;
    println!("details: {}", file.display());
    if options.write {
        let file = paths::root().join("bench").join("RESULTS.md");
        let command = format!("cargo xtask bench peers --time {}s --write", options.time.as_secs());
        let text = format!("# steady beside Schemathesis\n\nWritten by `{command}`.\n\n{table}\n{LEGEND}");
        fs::write(&file, text).with_context(|| format!("could not write {}", file.display()))?;
        println!("table: {}", file.display());
    }
    Ok(())
}
