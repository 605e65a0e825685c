//! `steady rerun`, from the command to the files, and `steady merge` of what it wrote.

mod files;
mod merge;
mod share;

use std::io;
use std::path::{Path, PathBuf};

use steady_model::Event;
use steady_model::rerun::{RerunReport, TestId};
use steady_process::Stop;
use steady_rerun::drive::{RerunError, Setup, SilenceError};

use crate::annotations;
use crate::cli::MergeArgs;
use crate::diagnostic::render_warning;
use crate::env_vars;
use crate::error::{CommandError, UserError};
use crate::events::{Events, JsonLines, Reporter};
use crate::exit::Exit;
use crate::options::{RerunOptions, SharedOptions};
use crate::output::OutputFolder;
use crate::store::{self, StoreReporter};
use crate::terminal::{self, RerunProgress};
use files::Extras;
pub use files::REPORT;
use share::Share;

/// Where steady keeps what it needs between and while it runs.
const STATE: &str = ".steady";

/// Reruns the command and says what the runs say.
pub fn run(options: &RerunOptions) -> Result<Exit, CommandError> {
    let folder = PathBuf::from(".");
    let out = OutputFolder::open(&options.shared.out)?;
    // Claimed before the runs, so that what they find cannot be lost for want of a place.
    let extras = Extras::claim(options.junit.as_deref(), options.sarif.as_deref())?;
    let mut events = listeners(&out, options, &folder)?;
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
    events.emit(Event::RunStarted {
        command: "rerun".to_owned(),
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: options.shared.seed,
    });
    let stop = Stop::on_signals().map_err(SignalError)?;
    let result = steady_rerun::drive::rerun(&setup, &stop, &mut |event| events.emit(event));
    let (exit, interrupted) = match &result {
        Ok(outcome) if outcome.obstacle.is_some() => (Exit::CouldNot, outcome.interrupted),
        Ok(outcome) => (exit_of(&outcome.report, outcome.interrupted), outcome.interrupted),
        Err(_) => (Exit::CouldNot, false),
    };
    events.emit(Event::RunFinished { exit_code: exit.code(), interrupted, summary: None });
    let mut outcome = match result {
        Ok(outcome) => outcome,
        Err(error) => {
            drop(events);
            return Err(error.into());
        }
    };
    events.finish();
    outcome.report.part = share.as_ref().and_then(Share::part);
    files::write(&out, &outcome.report)?;
    extras.write(&outcome.report)?;
    tell(&outcome.report, &options.shared, outcome.interrupted)?;
    // What was seen is written and told; that there was to be more is an error all the same.
    outcome.obstacle.map_or(Ok(exit), |obstacle| Err(obstacle.into()))
}

/// Joins what shards found, and says it as one machine would have.
pub fn run_merge(shared: &SharedOptions, args: &MergeArgs) -> Result<Exit, CommandError> {
    let merged = merge::merge(&args.folders)?;
    let out = OutputFolder::open(&shared.out)?;
    let extras = Extras::claim(args.junit.as_deref(), args.sarif.as_deref())?;
    for note in &merged.notes {
        terminal::talk(&render_warning(note));
    }
    files::write(&out, &merged.report)?;
    extras.write(&merged.report)?;
    tell(&merged.report, shared, false)?;
    Ok(exit_of(&merged.report, false))
}

fn listeners(out: &OutputFolder, options: &RerunOptions, folder: &Path) -> Result<Events, CommandError> {
    let progress = RerunProgress::new(options.shared.verbosity, options.shared.json);
    let record = JsonLines::new("events.jsonl", io::BufWriter::new(out.begin("events.jsonl")?));
    let mut reporters: Vec<Box<dyn Reporter>> = vec![Box::new(progress), Box::new(record)];
    if options.shared.json {
        reporters.push(Box::new(JsonLines::new("stdout", io::stdout())));
    }
    let mut unopened = None;
    if let Some(config) = &options.store {
        match store::open(config, folder) {
            Ok(store) => {
                let describe = store::describe(config, folder, &options.command, options.shard);
                reporters.push(Box::new(StoreReporter::new(store, store::retention(config), describe)));
            }
            Err(error) => unopened = Some(error),
        }
    }
    let mut events = Events::new(reporters);
    // To remember a run is a service; that it cannot be had must not keep anybody from running tests.
    if let Some(error) = unopened {
        events
            .emit(Event::Warning { message: format!("nothing is remembered: {}", store::explained(&error)) });
    }
    Ok(events)
}

fn tell(report: &RerunReport, shared: &SharedOptions, interrupted: bool) -> Result<(), CommandError> {
    if std::env::var_os(env_vars::GITHUB_ACTIONS).is_some() {
        annotations::of_rerun(report).iter().for_each(|line| terminal::talk(line));
    }
    if shared.json {
        return Ok(());
    }
    let mut text = terminal::rerun_report(report, shared.verbosity);
    if interrupted {
        text.push_str("interrupted: the verdicts rest on the runs made so far\n");
    }
    Ok(terminal::print(&text)?)
}

fn exit_of(report: &RerunReport, interrupted: bool) -> Exit {
    match report.tests.iter().any(|test| test.all.failed > 0) {
        true => Exit::Findings,
        false if interrupted => Exit::CouldNot,
        false => Exit::Clean,
    }
}

/// Signals cannot be listened to.
#[derive(Debug, thiserror::Error)]
#[error("the system refuses to tell of Ctrl-C")]
struct SignalError(#[source] io::Error);

impl UserError for SignalError {}

impl UserError for RerunError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::NoTests => {
                Some("say where results are with `--results GLOB`, or leave `--shard` away".to_owned())
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
            Self::Silence(SilenceError::Renamed { .. }) => Some(
                "take what differs between runs (a time, a port, a folder) out of the names of the tests"
                    .to_owned(),
            ),
            Self::Select(_) => Some("put `{tests}` where the command takes the names of tests".to_owned()),
            Self::SharedResults { .. } => Some(
                "give every job its own folder with `--isolate`, or its own file: `--results 'report-{job}.xml'`"
                    .to_owned(),
            ),
            Self::Workshop(_) => Some("make the folder writable, or start steady in another one".to_owned()),
            Self::Job(_) | Self::Preload(_) | Self::Results(_) | Self::Copy(_) => None,
        }
    }
}
