//! `steady rerun`, from the command to the files.

mod annotations;
mod args;
pub mod files;
mod heartbeat;
mod junit;
mod options;
mod progress;
mod report;
mod sarif;
mod share;

use std::path::{Path, PathBuf};

use steady_exec::ExecError;
use steady_model::rerun::{RerunReport, TestId};
use steady_rerun::drive::{RerunError, Setup, SilenceError};

use crate::env_vars;
use crate::error::{CommandError, UserError, on_one_line};
use crate::exit::Exit;
use crate::session::{Ended, Session};
use crate::store::{self, StoreReporter};
use crate::sut::STATE;
use crate::ui;
use files::Extras;
use progress::RerunProgress;
use share::Share;

pub use args::RerunArgs;
pub use files::REPORT;
pub use options::{RerunOptions, sequential_test};

/// Resolves the options and reruns.
pub fn run(session: &mut Session, args: RerunArgs) -> Result<Ended, CommandError> {
    let options = RerunOptions::resolve(session.shared(), args)?;
    run_with(session, &options)
}

/// Reruns the command and says what the runs say.
fn run_with(session: &mut Session, options: &RerunOptions) -> Result<Ended, CommandError> {
    let folder = PathBuf::from(".");
    session.claim_output(&[REPORT])?;
    // Claimed before the runs: what they find must not be lost because it cannot be written.
    let extras = Extras::claim(options.junit.as_deref(), options.sarif.as_deref())?;
    session.show(RerunProgress::new(options.shared.verbosity, options.shared.json, options.policy.runs));
    store_runs(session, options, &folder);
    let share = match options.shard {
        Some(shard) => Some(Share::new(shard, options, &folder)?),
        None => None,
    };
    let pick = share.as_ref().map(|share| |tests: &[TestId]| share.pick(tests));
    let setup = Setup {
        command: options.command.clone(),
        folder: folder.clone(),
        state: folder.join(STATE),
        variables: options.variables.clone(),
        results: options.results.clone(),
        timeout: Some(options.timeout),
        time: options.time,
        jobs: options.jobs,
        isolate: options.isolate,
        policy: options.policy.clone(),
        perturbations: options.perturbations.clone(),
        part: pick.as_ref().map(|pick| pick as &dyn Fn(&[TestId]) -> Vec<TestId>),
        seed: options.shared.seed,
    };
    let rerun = steady_rerun::drive::rerun(&setup, session.cancel(), &mut |event| session.emit(event));
    let mut outcome = rerun?;
    outcome.report.part = share.as_ref().and_then(Share::part);
    files::write(session, &outcome.report, outcome.interrupted)?;
    extras.write(&outcome.report)?;
    annotate(&outcome.report);
    // What was seen is written and reported; that the rest is missing is still an error.
    let obstacle = outcome.obstacle.take().map(CommandError::from);
    Ok(Ended { obstacle, ..ended(session, &outcome.report, outcome.interrupted) })
}

/// Stores the runs. A store that cannot be opened is a warning: it must not keep anybody from running tests.
fn store_runs(session: &Session, options: &RerunOptions, folder: &Path) {
    let Some(config) = &options.store else { return };
    match store::open(config, folder) {
        Ok(store) => {
            let describe = store::describe(config, folder, &options.command, options.shard);
            session.attach(StoreReporter::new(store, store::retention(config), describe));
        }
        Err(error) => session.warn(format!("the runs are not stored: {}", on_one_line(&error))),
    }
}

/// Marks failing tests where GitHub shows them.
pub fn annotate(report: &RerunReport) {
    if std::env::var_os(env_vars::GITHUB_ACTIONS).is_some() {
        annotations::of_rerun(report).iter().for_each(|line| ui::eprint_line(line));
    }
}

/// How it ended, with the report.
pub fn ended(session: &Session, report: &RerunReport, interrupted: bool) -> Ended {
    let mut text = report::render(report, session.shared().verbosity);
    if interrupted {
        text.push_str("interrupted: the verdicts are based on the runs so far\n");
    }
    Ended { interrupted, ..Ended::with(exit_of(report, interrupted), text) }
}

fn exit_of(report: &RerunReport, interrupted: bool) -> Exit {
    match report.tests.iter().any(|test| test.all.failed > 0) {
        true => Exit::Findings,
        false if interrupted => Exit::Error,
        false => Exit::Clean,
    }
}

impl UserError for RerunError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::NoTests => {
                Some("say where results are with `--results GLOB`, or remove `--shard`".to_owned())
            }
            Self::Silence(SilenceError::Endless { .. }) => {
                Some("find out what it waits for, or give it more time with `--timeout TIME`".to_owned())
            }
            Self::Silence(SilenceError::Unread { .. }) => {
                Some("let the command write its report there, or correct `--results GLOB`".to_owned())
            }
            Self::Silence(SilenceError::Nothing { .. }) => {
                Some("run the command by itself, and check which tests it selects".to_owned())
            }
            Self::Silence(SilenceError::Injected { .. }) => Some(
                "this version of the runner may be too new or too old for steady; let it write a report of its own (JUnit XML, \
                 TAP, JSON) and name that with `--results GLOB`"
                    .to_owned(),
            ),
            Self::Silence(SilenceError::Renamed { .. }) => Some(
                "take what differs between runs (a time, a port, a folder) out of the names of the tests"
                    .to_owned(),
            ),
            Self::Exec(error) => error.hint(),
        }
    }
}

impl UserError for ExecError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Select(_) => Some("put `{tests}` where the command takes the names of tests".to_owned()),
            Self::SharedResults { .. } => Some(
                "give every job its own folder with `--isolate`, or its own file: `--results 'report-{job}.xml'`"
                    .to_owned(),
            ),
            Self::StateDir(_) => Some("make the folder writable, or start steady in another one".to_owned()),
            Self::Job(_) | Self::Preload(_) | Self::Results(_) | Self::Copy(_) | Self::Record(_) => None,
        }
    }
}
