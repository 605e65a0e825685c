//! `steady fuzz` and `steady demo`, from the document to the files.
//!
//! [`run`] claims the output folder, loads the document, lets [`steady_fuzz`] search and settle, writes what came of it,
//! and tells the end of the story. Everything that can go wrong for want of input does so before the first request.

mod address;
mod demo;
mod document;
pub mod files;
mod merge;

pub use demo::demo;
pub use merge::{SUITE, run_merge};

use std::io;

use steady_fuzz::Outcome;
use steady_http::BaseUrl;
use steady_model::{Event, Findings, Phase};
use steady_openapi::Api;
use steady_replay::KnownSecrets;
use steady_stabilize::Footing;
use steady_sut::Sut;

use crate::commands::runtime;
use crate::error::{CommandError, UserError};
use crate::events::{Events, JsonLines, Reporter};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::options::FuzzOptions;
use crate::output::{OutputFolder, UnfinishedFile};
use crate::{sarif, sut};
use crate::terminal::{self, FuzzReport, ProgressReporter};
use crate::values::DocumentSource;

/// Fuzzes a running API.
pub fn run(options: &FuzzOptions) -> Result<Exit, CommandError> {
    let folder = OutputFolder::open(&options.shared.out)?;
    let runtime = runtime()?;
    let sarif = options.sarif.as_deref().map(UnfinishedFile::create).transpose()?;
    let mut sut = runtime.block_on(sut::start(options.sut.clone()))?;
    let (openapi, url) = match &sut {
        Some(sut) => (served(sut, &options.openapi)?, Some(sut.url().parse()?)),
        None => (options.openapi.clone(), options.url.clone()),
    };
    let mut api = document::load(&runtime, &openapi, &options.client)?;
    let address = address::settle(&mut api, url.as_ref())?;
    let outcome = fuzz(&runtime, &folder, options, api, address, &mut sut::footing(&mut sut))?;
    if let Some(mut sut) = sut {
        runtime.block_on(sut.stop())?;
    }
    if let Some(file) = sarif {
        sarif::of_findings(&outcome.findings, &options.shared.out.join(SUITE)).write(file)?;
    }
    let next = format!("steady run {}", options.shared.out.join("suite.json").display());
    let report = FuzzReport {
        title: &outcome.suite.api.title,
        summary: &outcome.summary,
        findings: &outcome.findings,
        unsuccessful: &outcome.unsuccessful,
        out: &options.shared.out,
        emitted: &options.emit,
        interrupted: outcome.interrupted,
        next: Some(&next),
    };
    if !options.shared.json {
        terminal::print(&report.render(options.shared.verbosity))?;
    }
    Ok(exit_of(&outcome.findings))
}

/// The document's address with the API's port in it.
fn served(sut: &Sut, openapi: &DocumentSource) -> Result<DocumentSource, CommandError> {
    Ok(match openapi {
        DocumentSource::Url(url) => DocumentSource::Url(sut.address(url)?),
        file @ DocumentSource::File(_) => file.clone(),
    })
}

/// Searches, settles and writes, telling everybody who listens.
fn fuzz(
    runtime: &tokio::runtime::Runtime,
    folder: &OutputFolder,
    options: &FuzzOptions,
    api: Api,
    (url, base_path): (BaseUrl, String),
    footing: &mut Footing<'_>,
) -> Result<Outcome, CommandError> {
    let mut events = listeners(folder, options)?;
    events.emit(Event::RunStarted {
        command: "fuzz".to_owned(),
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: options.shared.seed,
    });
    events.emit(Event::SchemaLoaded { title: api.title.clone(), operations: api.operations.len() });
    for problem in &api.problems {
        let message = format!("{}: {}", problem.place, problem.message);
        events.emit(if problem.skipped_operation {
            Event::OperationSkipped { operation: problem.place.clone(), reason: problem.message.clone() }
        } else {
            Event::Warning { message }
        });
    }
    let result = runtime.block_on(async {
        let interrupt = Interrupt::listen();
        let filter = options.filter.clone();
        let wanted = steady_fuzz::FuzzOptions {
            url,
            base_path,
            client: options.client.clone(),
            time: options.budget.time,
            requests: options.budget.requests.map(std::num::NonZeroU64::get),
            rate: options.rate.map(|rate| rate.per_second),
            workers: options.workers,
            seed: options.shared.seed,
            shard: options.shard,
            identities: options.accounts.identities.clone(),
            secrets: KnownSecrets::new(options.accounts.secrets.clone()),
            principals: options.accounts.principals.clone(),
            flaky: options.flaky.policy,
            ladder: options.flaky.ladder.clone(),
            keep: Box::new(move |operation| filter.admits(operation)),
            stop: interrupt.watch(),
        };
        steady_fuzz::fuzz(api, wanted, footing, &mut |event| events.emit(event)).await
    });
    let outcome = match result {
        Ok(outcome) => outcome,
        Err(error) => {
            events.emit(Event::RunFinished {
                exit_code: Exit::CouldNot.code(),
                interrupted: false,
                summary: None,
            });
            // The unfinished event file goes with the stream: a run that did nothing leaves nothing.
            drop(events);
            return Err(error.into());
        }
    };
    for flaky in &outcome.findings.flaky {
        events.emit(Event::FlakyFound { flaky: Box::new(flaky.clone()) });
    }
    events.emit(Event::PhaseStarted { phase: Phase::Write });
    let written = files::write(folder, &outcome.suite, &outcome.findings, &outcome.summary, &options.emit)?;
    written.into_iter().for_each(|path| events.emit(Event::FileWritten { path }));
    events.emit(Event::PhaseFinished { phase: Phase::Write });
    events.emit(Event::RunFinished {
        exit_code: exit_of(&outcome.findings).code(),
        interrupted: outcome.interrupted,
        summary: Some(Box::new(outcome.summary.clone())),
    });
    events.finish();
    Ok(outcome)
}

fn listeners(folder: &OutputFolder, options: &FuzzOptions) -> Result<Events, CommandError> {
    let progress = ProgressReporter::new(options.budget.time, options.shared.verbosity, options.shared.json);
    let record = JsonLines::new("events.jsonl", io::BufWriter::new(folder.begin("events.jsonl")?));
    let mut reporters: Vec<Box<dyn Reporter>> = vec![Box::new(progress), Box::new(record)];
    if options.shared.json {
        reporters.push(Box::new(JsonLines::new("stdout", io::stdout())));
    }
    Ok(Events::new(reporters))
}

fn exit_of(findings: &Findings) -> Exit {
    if findings.faults.is_empty() { Exit::Clean } else { Exit::Findings }
}

impl UserError for steady_fuzz::FuzzError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Unreachable { .. } => Some("start the API, or correct --url".to_owned()),
            Self::Login(_) => Some("check the credentials and the login's description".to_owned()),
            Self::NothingToCall | Self::Client(_) => None,
        }
    }
}
