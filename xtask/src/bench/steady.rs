//! steady itself, and the files it writes.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::de::DeserializeOwned;
use steady_model::{Envelope, Event, FaultCode, Findings, Summary};

use super::process::{Running, last_words};
use super::record::Record;
use super::server_error;
use super::service::Site;
use crate::paths;
use crate::step::{Steps, cargo};

/// Beyond its budget: re-checking and shortening what it keeps, writing files.
const GRACE: Duration = Duration::from_secs(300);

/// Builds the release binary.
pub fn build() -> Result<()> {
    Steps::default().run("build steady", &mut cargo(&["build", "--release", "--package", "steady"]))
}

/// Where its output of a run is.
pub fn output(site: &Site) -> PathBuf {
    site.folder.join("steady-out")
}

/// Lets it loose on a service for `budget`; more options may follow.
pub fn run(site: &Site, budget: Duration, seed: u64, options: &[String]) -> Result<Record> {
    let out = output(site);
    let mut command = Command::new(paths::root().join("target/release/steady"));
    command.current_dir(&site.folder).arg("fuzz").arg("--openapi").arg(&site.document);
    command.args(["--url", &site.base, "--time", &format!("{}s", budget.as_secs())]);
    command.args(["--seed", &seed.to_string(), "--out"]).arg(&out).args(options);
    if let Some(credential) = &site.credential {
        command.args(["--header", &format!("{}: {}", credential.header, credential.value)]);
    }
    let log = site.folder.join("steady.log");
    let ended = Running::start(&mut command, &log)?.wait(budget + GRACE).context("steady")?;
    ensure!(matches!(ended.code, Some(0 | 1)), "steady could not do its job; {}", last_words(&log));
    let summary: Summary = read(&out.join("summary.json"))?;
    let findings: Findings = read(&out.join("findings.json"))?;
    Ok(Record {
        tool: format!("steady {}", env!("CARGO_PKG_VERSION")),
        operations: summary.operations.total,
        successful: successful(&out.join("events.jsonl"))?,
        server_errors: server_errors(&findings),
        faults: findings.faults.len(),
        fault_kinds: findings
            .faults
            .iter()
            .map(|fault| format!("{} {}", fault.code, fault.operation))
            .collect(),
        requests: summary.requests,
        requests_per_second: summary.requests_per_second,
        seconds: ended.seconds,
        peak_memory: ended.peak_memory,
        ..Record::default()
    })
}

fn server_errors(findings: &Findings) -> BTreeSet<String> {
    let errors = findings.faults.iter().filter(|fault| fault.code == FaultCode::ServerError);
    let described = errors.map(|fault| {
        // The summary of a server error is the status, a colon and the message.
        let message = fault.summary.split_once(": ").map_or(fault.summary.as_str(), |(_, message)| message);
        format!("{}: {} {}", fault.operation, fault.status, server_error::normalised(message))
    });
    described.collect()
}

fn successful(events: &Path) -> Result<BTreeSet<String>> {
    let text = fs::read_to_string(events).with_context(|| format!("could not read {}", events.display()))?;
    let mut operations = BTreeSet::new();
    for line in text.lines() {
        let envelope: Envelope =
            serde_json::from_str(line).with_context(|| format!("unexpected line in {}", events.display()))?;
        if let Event::StatusReached { operation, status: 200..300 } = envelope.event {
            operations.insert(operation.to_string());
        }
    }
    Ok(operations)
}

fn read<T: DeserializeOwned>(file: &Path) -> Result<T> {
    let text = fs::read_to_string(file).with_context(|| format!("could not read {}", file.display()))?;
    serde_json::from_str(&text).with_context(|| format!("unexpected content of {}", file.display()))
}
