//! `steady fuzz`, from the document to the files.
//!
//! [`run`] claims the output folder, loads the document, lets [`steady_fuzz`] search and re-check, and writes what it
//! found. Everything that can go wrong for want of input does so before the first request.

mod address;
mod args;
pub mod document;
mod options;
mod progress;
mod report;

pub use args::FuzzArgs;
pub use options::{Budget, FuzzOptions, emitters};
pub use report::FuzzReport;

use steady_flaky::drive::SutAccess;
use steady_fuzz::{Ending, Outcome};
use steady_http::{BaseUrl, TransportError};
use steady_model::{Event, Findings, Phase};
use steady_openapi::Api;
use steady_sut::Sut;

use super::runtime;
use crate::error::{CommandError, UserError};
use crate::exit::Exit;
use crate::output::UnfinishedFile;
use crate::session::{Ended, Session};
use crate::suite::files::{self, Found, SUITE};
use crate::values::DocumentSource;
use crate::{sarif, sut};
use progress::ProgressReporter;

/// Resolves the options and fuzzes.
pub fn run(session: &mut Session, args: FuzzArgs) -> Result<Ended, CommandError> {
    let options = FuzzOptions::resolve(session.shared(), args)?;
    run_with(session, &options)
}

/// Fuzzes a running API.
fn run_with(session: &mut Session, options: &FuzzOptions) -> Result<Ended, CommandError> {
    files::claim(session, &options.emit)?;
    let runtime = runtime()?;
    let sarif = options.sarif.as_deref().map(UnfinishedFile::create).transpose()?;
    let mut sut = session.unless_cancelled(&runtime, sut::start(options.sut.clone()))??;
    let (openapi, url) = match &sut {
        Some(sut) => (served(sut, &options.openapi)?, Some(sut.url().parse()?)),
        None => (options.openapi.clone(), options.url.clone()),
    };
    let mut api = document::load(session, &runtime, &openapi, options.allow_refs, &options.client)?;
    let address = address::resolve(&mut api, url.as_ref())?;
    let outcome = fuzz(session, &runtime, options, api, address, &mut sut::access(&mut sut))?;
    if let Some(mut sut) = sut {
        runtime.block_on(sut::stop(&mut sut, session.cancel()))?;
    }
    if let Some(file) = sarif {
        sarif::of_findings(&outcome.findings, &session.out().join(SUITE)).write(file)?;
    }
    let next = format!("steady run {}", session.out().join(SUITE).display());
    let report = report(session, options, &outcome, Some(&next));
    Ok(Ended { report, ..ended(&outcome) })
}

/// What a person reads at the end.
pub fn report(session: &Session, options: &FuzzOptions, outcome: &Outcome, next: Option<&str>) -> String {
    let report = FuzzReport {
        title: &outcome.suite.api.title,
        summary: &outcome.summary,
        findings: &outcome.findings,
        unsuccessful: &outcome.unsuccessful,
        out: &session.out(),
        emitted: &options.emit,
        ending: &outcome.ending,
        next,
    };
    report.render(session.shared().verbosity)
}

/// How a run ended.
pub fn ended(outcome: &Outcome) -> Ended {
    let interrupted = outcome.ending == Ending::Interrupted;
    let exit = match exit_of(&outcome.findings) {
        // Nothing found in half a run is not nothing to report.
        Exit::Clean if interrupted => Exit::Error,
        exit => exit,
    };
    Ended { exit, interrupted, summary: Some(Box::new(outcome.summary.clone())), ..Ended::default() }
}

/// The document's address with the API's port in it.
fn served(sut: &Sut, openapi: &DocumentSource) -> Result<DocumentSource, CommandError> {
    Ok(match openapi {
        DocumentSource::Url(url) => DocumentSource::Url(sut.address(url)?),
        file @ DocumentSource::File(_) => file.clone(),
    })
}

/// Searches, re-checks, looks for flakiness and writes.
pub fn fuzz(
    session: &Session,
    runtime: &tokio::runtime::Runtime,
    options: &FuzzOptions,
    api: Api,
    (url, base_path): (BaseUrl, String),
    access: &mut SutAccess<'_>,
) -> Result<Outcome, CommandError> {
    session.show(ProgressReporter::new(options.budget.time, options.shared.verbosity, options.shared.json));
    session.emit(Event::SchemaLoaded { title: api.title.clone(), operations: api.operations.len() });
    for problem in &api.problems {
        let message = format!("{}: {}", problem.place, problem.message);
        session.emit(if problem.skipped_operation {
            Event::OperationSkipped { operation: problem.place.clone(), reason: problem.message.clone() }
        } else {
            Event::Warning { message }
        });
    }
    for (name, secret) in &options.accounts.secrets {
        session.secrets().give(name.clone(), secret.clone());
    }
    let filter = options.filter.clone();
    let mut accounts = options.accounts.clone();
    accounts.below(url.path_prefix());
    let wanted = steady_fuzz::FuzzOptions {
        url,
        base_path,
        client: options.client.clone(),
        time: options.budget.time,
        detect_time: options.budget.detect_time,
        requests: options.budget.requests.map(std::num::NonZeroU64::get),
        rate: options.rate.map(|rate| rate.per_second),
        workers: options.workers,
        seed: options.shared.seed,
        shard: options.shard,
        identities: accounts.identities,
        secrets: session.secrets().clone(),
        principals: accounts.principals,
        flaky: options.flaky.policy,
        plan: options.flaky.plan.clone(),
        keep: Box::new(move |operation| filter.admits(operation)),
        cancel: session.cancel().clone(),
    };
    let outcome =
        runtime.block_on(steady_fuzz::fuzz(api, wanted, access, &mut |event| session.emit(event)))?;
    for flaky in &outcome.findings.flaky {
        session.emit(Event::FlakyFound { flaky: Box::new(flaky.clone()) });
    }
    session.emit(Event::PhaseStarted { phase: Phase::Write });
    let found = Found {
        suite: &outcome.suite,
        findings: &outcome.findings,
        summary: &outcome.summary,
        complete: outcome.ending.is_complete(),
    };
    files::write(session, found, &options.emit)?;
    session.emit(Event::PhaseFinished { phase: Phase::Write });
    Ok(outcome)
}

/// Faults are findings; flaky values are handled.
pub fn exit_of(findings: &Findings) -> Exit {
    if findings.faults.is_empty() { Exit::Clean } else { Exit::Findings }
}

impl UserError for steady_fuzz::FuzzError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Unreachable { source: TransportError::TimedOut { .. } } => {
                Some("start the API, correct --url, or raise --time if the API is slow".to_owned())
            }
            Self::Unreachable { .. } => Some("start the API, or correct --url".to_owned()),
            Self::Login(_) => Some("check the credentials and the login's description".to_owned()),
            Self::SlowLogin | Self::NoTime { .. } => Some("raise --time".to_owned()),
            Self::NothingToCall | Self::Client(_) => None,
        }
    }
}
