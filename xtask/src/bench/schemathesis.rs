//! Schemathesis, the strongest black-box peer, and its reports.
//!
//! It runs with its defaults, or also going on after a failure: neither finds more on every service. What it did is read
//! from its own event stream, in which every exchange is recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use steady_model::FaultCode;

use super::process::{Running, last_words};
use super::record::Record;
use super::service::Site;
use super::{install, server_error};

const TITLE: &str = "Schemathesis 4.32.5";
/// Beyond its budget: importing itself, reading the document, writing reports.
const GRACE: Duration = Duration::from_secs(120);

/// Installs the pinned version; quick when it is there.
pub fn install() -> Result<()> {
    install::python("tools/schemathesis").map(drop)
}

/// What it does after the first failure in a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterFailure {
    /// Leaves the test, as by default.
    Stop,
    /// Continues with the test.
    Continue,
}

/// Lets it loose on a service for `budget`.
pub fn run(site: &Site, budget: Duration, seed: u64, after_failure: AfterFailure) -> Result<Record> {
    let mut command = Command::new(install::python("tools/schemathesis")?.join("st"));
    command.current_dir(&site.folder).arg("run").arg(&site.document).args(["--url", &site.base]);
    command.args(["--max-time", &budget.as_secs().to_string(), "--seed", &seed.to_string()]);
    command.args(["--no-color", "--report", "ndjson,json"]);
    command.args(["--report-ndjson-path", "events.ndjson", "--report-json-path", "report.json"]);
    let mut tool = TITLE.to_owned();
    if after_failure == AfterFailure::Continue {
        command.arg("--continue-on-failure");
        tool.push_str(", continuing");
    }
    if let Some(credential) = &site.credential {
        command.args(["--header", &format!("{}: {}", credential.header, credential.value)]);
    }
    for operation in site.fatal_operations {
        command.args(["--exclude-name", operation]);
    }
    let log = site.folder.join("schemathesis.log");
    let ended = Running::start(&mut command, &log)?.wait(budget + GRACE).context(TITLE)?;
    ensure!(matches!(ended.code, Some(0 | 1)), "{TITLE} could not do its job; {}", last_words(&log));
    let mut record =
        Record { tool, seconds: ended.seconds, peak_memory: ended.peak_memory, ..Record::default() };
    let testing = read_report(&site.folder.join("report.json"), &mut record)?;
    read_events(&site.folder.join("events.ndjson"), &mut record)?;
    record.requests_per_second = record.requests as f64 / testing;
    Ok(record)
}

/// The end-of-run report: what it found, by its own counting.
#[derive(Debug, Deserialize)]
struct Report {
    running_time: f64,
    operations: Operations,
    test_cases: TestCases,
    failures: Vec<Failure>,
}

#[derive(Debug, Deserialize)]
struct Operations {
    selected: usize,
}

#[derive(Debug, Deserialize)]
struct TestCases {
    unique_failures: usize,
}

#[derive(Debug, Deserialize)]
struct Failure {
    code: String,
    operations: Vec<String>,
}

/// Fills in what it found; returns how many seconds it was testing.
fn read_report(file: &Path, record: &mut Record) -> Result<f64> {
    let open = File::open(file).with_context(|| format!("could not open {}", file.display()))?;
    let report: Report = serde_json::from_reader(BufReader::new(open))
        .with_context(|| format!("could not read {}", file.display()))?;
    record.operations = report.operations.selected;
    record.faults = report.test_cases.unique_failures;
    for failure in &report.failures {
        let kind = common_code(&failure.code);
        record.fault_kinds.extend(failure.operations.iter().map(|operation| format!("{kind} {operation}")));
    }
    Ok(report.running_time)
}

/// The code steady has for what Schemathesis calls so: Web Fuzzing Commons' where it has one. What one call shows once should
/// count once, even if two checks report it: a status that is not documented and its content type are one response outside the document.
fn common_code(code: &str) -> &str {
    match code {
        "ST101" | "ST102" => FaultCode::ServerError.code(),
        "ST103" | "ST104" | "ST105" | "ST106" | "ST107" | "ST108" | "ST109" | "ST110" | "ST111" => {
            FaultCode::SchemaMismatch.code()
        }
        "ST201" | "ST203" => FaultCode::InvalidInputAccepted.code(),
        "ST202" => FaultCode::ValidInputRejected.code(),
        "ST204" => FaultCode::MethodNotRefused.code(),
        "ST205" => FaultCode::IncompleteAllow.code(),
        "ST301" => FaultCode::DeleteDoesNotDelete.code(),
        "ST401" => FaultCode::IgnoredAuthentication.code(),
        other => other,
    }
}

/// A line of the event stream; only finished scenarios matter here.
#[derive(Debug, Deserialize)]
struct Line {
    #[serde(rename = "ScenarioFinished")]
    scenario: Option<Scenario>,
}

#[derive(Debug, Deserialize)]
struct Scenario {
    recorder: Recorder,
}

#[derive(Debug, Deserialize)]
struct Recorder {
    label: String,
    #[serde(default)]
    cases: BTreeMap<String, Case>,
    #[serde(default)]
    interactions: BTreeMap<String, Interaction>,
}

#[derive(Debug, Deserialize)]
struct Case {
    value: CaseValue,
}

#[derive(Debug, Deserialize)]
struct CaseValue {
    method: String,
    path: String,
}

#[derive(Debug, Deserialize)]
struct Interaction {
    response: Option<Answer>,
}

#[derive(Debug, Deserialize)]
struct Answer {
    status_code: u16,
    content: Option<Content>,
}

#[derive(Debug, Deserialize)]
struct Content {
    #[serde(rename = "$base64")]
    base64: String,
}

fn read_events(file: &Path, record: &mut Record) -> Result<()> {
    let open = File::open(file).with_context(|| format!("could not open {}", file.display()))?;
    let mut reached = Reached::default();
    for line in BufReader::new(open).lines() {
        let line = line.with_context(|| format!("could not read {}", file.display()))?;
        let line: Line =
            serde_json::from_str(&line).with_context(|| format!("unexpected line in {}", file.display()))?;
        if let Some(scenario) = line.scenario {
            reached.add(&scenario.recorder);
        }
    }
    // It also tries methods that the document does not have; those are not operations.
    let documented = |operation: &String| reached.operations.contains(operation);
    record.successful = reached.successful.into_iter().filter(documented).collect();
    record.server_errors = reached.server_errors;
    record.requests = reached.requests;
    Ok(())
}

#[derive(Debug, Default)]
struct Reached {
    operations: BTreeSet<String>,
    successful: BTreeSet<String>,
    server_errors: BTreeSet<String>,
    requests: u64,
}

impl Reached {
    fn add(&mut self, recorder: &Recorder) {
        self.operations.insert(recorder.label.clone());
        for (id, interaction) in &recorder.interactions {
            self.requests += 1;
            let (Some(case), Some(answer)) = (recorder.cases.get(id), &interaction.response) else {
                continue;
            };
            let operation = format!("{} {}", case.value.method.to_uppercase(), case.value.path);
            match answer.status_code {
                200..300 => _ = self.successful.insert(operation),
                500.. => _ = self.server_errors.insert(format!("{operation}: {}", answer.message())),
                _ => {}
            }
        }
    }
}

impl Answer {
    fn message(&self) -> String {
        let body = self.content.as_ref().and_then(|content| STANDARD.decode(&content.base64).ok());
        let message = server_error::message(&String::from_utf8_lossy(&body.unwrap_or_default()));
        format!("{} {}", self.status_code, server_error::normalised(&message))
    }
}
