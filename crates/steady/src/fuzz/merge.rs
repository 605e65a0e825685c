//! `steady merge` of what `steady fuzz` wrote: one small suite of all that shards found.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use steady_model::{Envelope, Event, OperationId};
use steady_search::join::{JoinError, Results, join};

use super::{exit_of, files};
use crate::cli::MergeArgs;
use crate::diagnostic::render_warning;
use crate::error::{CommandError, ReadError, UserError};
use crate::events::{Events, JsonLines, Reporter};
use crate::exit::Exit;
use crate::options::{SharedOptions, emitters};
use crate::output::OutputFolder;
use crate::terminal::{self, FuzzReport};
use crate::{shards, suite_file};

/// The file that marks what `steady fuzz` wrote.
pub const SUITE: &str = "suite.json";

/// A file of a shard is not what it should be.
#[derive(Debug, thiserror::Error)]
#[error("`{}` is not what `steady fuzz` writes: {source}", path.display())]
struct MalformedError {
    path: PathBuf,
    source: serde_json::Error,
}

impl UserError for MalformedError {
    fn hint(&self) -> Option<String> {
        Some(
            "give the folders that `steady fuzz --out DIR` wrote; was this one written to its end?"
                .to_owned(),
        )
    }
}

impl UserError for JoinError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Nothing => Some("name the output folders of the shards".to_owned()),
            Self::DifferentApis { .. } => Some("merge only folders of the same API".to_owned()),
            Self::DifferentIdentities { .. } => {
                Some("give all shards the same headers and the same `--auth` file".to_owned())
            }
        }
    }
}

/// Joins what shards found, and says it as one machine would have.
pub fn run_merge(shared: &SharedOptions, args: &MergeArgs) -> Result<Exit, CommandError> {
    let all = args.folders.iter().map(|folder| results(folder)).collect::<Result<Vec<_>, _>>()?;
    let parts: Vec<_> = all.iter().filter_map(|results| results.summary.part).collect();
    let notes = shards::doubts(&parts, "operations");
    let joined = join(all)?;
    let emit = emitters(args.emit.clone());
    let out = OutputFolder::open(&shared.out)?;
    let mut events = listeners(&out, shared)?;
    announce(&joined, &mut events);
    for message in notes {
        terminal::talk(&render_warning(&message));
        events.emit(Event::Warning { message });
    }
    let written = files::write(&out, &joined.suite, &joined.findings, &joined.summary, &emit)?;
    written.into_iter().for_each(|path| events.emit(Event::FileWritten { path }));
    let exit = exit_of(&joined.findings);
    events.emit(Event::RunFinished {
        exit_code: exit.code(),
        interrupted: false,
        summary: Some(Box::new(joined.summary.clone())),
    });
    events.finish();
    if !shared.json {
        let next = format!("steady run {}", shared.out.join(SUITE).display());
        let report = FuzzReport {
            title: &joined.suite.api.title,
            summary: &joined.summary,
            findings: &joined.findings,
            unsuccessful: &unsuccessful(&joined.reached),
            out: &shared.out,
            emitted: &emit,
            interrupted: false,
            next: Some(&next),
        };
        terminal::print(&report.render(shared.verbosity))?;
    }
    Ok(exit)
}

fn results(folder: &Path) -> Result<Results, CommandError> {
    Ok(Results {
        suite: suite_file::load(folder)?,
        findings: read(&folder.join("findings.json"), "the findings")?,
        summary: read(&folder.join("summary.json"), "the figures")?,
        reached: reached(&folder.join("events.jsonl"))?,
    })
}

fn read<T: DeserializeOwned>(path: &Path, what: &'static str) -> Result<T, CommandError> {
    let bytes = std::fs::read(path).map_err(|source| ReadError { what, path: path.to_owned(), source })?;
    Ok(serde_json::from_slice(&bytes).map_err(|source| MalformedError { path: path.to_owned(), source })?)
}

/// The statuses a shard saw, from its events.
fn reached(path: &Path) -> Result<BTreeSet<(OperationId, u16)>, CommandError> {
    let unreadable = |source| ReadError { what: "the events", path: path.to_owned(), source };
    let mut reached = BTreeSet::new();
    for line in BufReader::new(File::open(path).map_err(unreadable)?).lines() {
        let envelope: Envelope = serde_json::from_str(&line.map_err(unreadable)?)
            .map_err(|source| MalformedError { path: path.to_owned(), source })?;
        if let Event::StatusReached { operation, status } = envelope.event {
            reached.insert((operation, status));
        }
    }
    Ok(reached)
}

fn listeners(out: &OutputFolder, shared: &SharedOptions) -> Result<Events, CommandError> {
    let record = JsonLines::new("events.jsonl", io::BufWriter::new(out.begin("events.jsonl")?));
    let mut reporters: Vec<Box<dyn Reporter>> = vec![Box::new(record)];
    if shared.json {
        reporters.push(Box::new(JsonLines::new("stdout", io::stdout())));
    }
    Ok(Events::new(reporters))
}

/// Tells what the shards saw, so that the joined folder can be joined again.
fn announce(joined: &Results, events: &mut Events) {
    events.emit(Event::RunStarted {
        command: "merge".to_owned(),
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: joined.summary.seed,
    });
    for (operation, status) in &joined.reached {
        events.emit(Event::StatusReached { operation: operation.clone(), status: *status });
    }
}

/// Operations that were answered, but never with a 2xx.
fn unsuccessful(reached: &BTreeSet<(OperationId, u16)>) -> Vec<(OperationId, Vec<u16>)> {
    let mut statuses: BTreeMap<&OperationId, Vec<u16>> = BTreeMap::new();
    for (operation, status) in reached {
        statuses.entry(operation).or_default().push(*status);
    }
    let failed = |statuses: &[u16]| !statuses.iter().any(|status| (200..300).contains(status));
    statuses
        .into_iter()
        .filter(|(_, statuses)| failed(statuses))
        .map(|(operation, statuses)| (operation.clone(), statuses))
        .collect()
}
