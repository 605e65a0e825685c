//! Runs the test with one value after the other, and reports each.

use std::path::Path;

use steady_js::repair::{Target as Fix, repair};
use steady_model::Event;
use steady_process::Cancel;
use steady_waits::locate::{Located, Ranking};
use steady_waits::tune::drive::{Project, Target, TuneError, TuneEvent, Tuned, tune};
use steady_waits::tune::{Settings, Standing, Strategy};

use super::progress::TuneProgress;
use super::tune::{TuneArgs, TuneOptions, WaitLocation, milliseconds};
use crate::error::{CommandError, UserError};
use crate::session::Session;
use crate::sut::STATE;

/// How often the longest value is doubled when no candidate holds.
const LONGER: usize = 3;
/// Runs under load that follow when a value was found.
const LOADED: u64 = 5;

/// Tries values for one wait.
pub fn tune_wait(
    location: &WaitLocation,
    fix: &Fix,
    located: &Located,
    args: &TuneArgs,
    options: &TuneOptions,
    session: &Session,
) -> Result<Tuned, CommandError> {
    let patch = |ms: u64| Ok(repair(&location.script, fix, ms)?.tidied(&location.script).text);
    let target = Target { path: &location.path, test: args.test.as_deref(), patch: &patch, loaded: LOADED };
    let candidates: Vec<u64> = match options.strategy {
        Strategy::Fatb { from } => vec![from],
        _ => {
            located.candidates.iter().map(|candidate| candidate.ms).filter(|ms| Some(*ms) > fix.ms).collect()
        }
    };
    // A call that says no time waits for its framework's default.
    let settings = settings(options, fix.ms);
    let mut reporter = AttemptReporter::new(session, &location.path, location.line);
    let tuned =
        tune(&project(args, options, session.cancel()), &target, &settings, &candidates, &mut |event| {
            reporter.on_event(&event);
        });
    reporter.finish();
    Ok(tuned.map_err(Untuned::from)?)
}

/// The settings of the search.
pub fn settings(options: &TuneOptions, before: Option<u64>) -> Settings {
    Settings {
        strategy: options.strategy,
        before,
        runs: u64::from(options.runs),
        threshold: milliseconds(options.threshold).max(1),
        margin: options.margin,
        // The baselines try what they found, as they are described.
        longer: if options.ranking == Ranking::Learned { LONGER } else { 0 },
        ..Settings::default()
    }
}

/// How the tests are run.
pub fn project<'a>(args: &'a TuneArgs, options: &TuneOptions, cancel: &'a Cancel) -> Project<'a> {
    Project {
        folder: Path::new("."),
        command: &args.command,
        variables: &[],
        results: &[],
        timeout: Some(options.test_timeout),
        time: options.time,
        narrow: true,
        state: Path::new(STATE),
        cancel,
    }
}

/// Reports every value that is tried: to people on the terminal, to programs as events.
pub struct AttemptReporter<'a> {
    session: &'a Session,
    progress: Option<TuneProgress>,
    path: String,
    line: usize,
}

impl<'a> AttemptReporter<'a> {
    pub fn new(session: &'a Session, path: &Path, line: usize) -> Self {
        let progress = (!session.is_json()).then(|| TuneProgress::new(session.shared().verbosity));
        Self { session, progress, path: path.display().to_string(), line }
    }

    pub fn on_event(&mut self, event: &TuneEvent) {
        if let Some(progress) = &mut self.progress {
            return progress.on_event(event);
        }
        let (path, line) = (self.path.clone(), self.line);
        match event {
            TuneEvent::Concerning { path, line, .. } => {
                (self.path, self.line) = (path.display().to_string(), *line);
            }
            TuneEvent::AttemptStarted { ms, .. } => {
                self.session.emit(Event::AttemptStarted { path, line, ms: *ms });
            }
            TuneEvent::RunFinished { ms, passed, milliseconds, .. } => {
                let (ms, passed, milliseconds) = (*ms, *passed, *milliseconds);
                self.session.emit(Event::AttemptRun { path, line, ms, passed, milliseconds });
            }
            TuneEvent::ValueDecided(decided) => self.session.emit(Event::AttemptDecided {
                path,
                line,
                ms: decided.ms,
                holds: decided.standing != Standing::Rejected,
                runs: u32::try_from(decided.runs).unwrap_or(u32::MAX),
                passed: u32::try_from(decided.passed).unwrap_or(u32::MAX),
            }),
            TuneEvent::Note { message } => self.session.warn(message.clone()),
            TuneEvent::Started { .. }
            | TuneEvent::RoundStarted { .. }
            | TuneEvent::TogetherStarted { .. }
            | TuneEvent::TogetherFinished { .. }
            | TuneEvent::Finished(_) => {}
        }
    }

    pub fn finish(self) {
        if let Some(progress) = self.progress {
            progress.finish();
        }
    }
}

/// A wait could not be tuned, and what the command said.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct Untuned {
    error: TuneError,
    cause: Option<String>,
    output: Vec<String>,
}

impl From<TuneError> for Untuned {
    fn from(error: TuneError) -> Self {
        let output = match &error {
            TuneError::AlwaysFails { output, .. } | TuneError::TestNotFound { output, .. } => {
                output.lines().map(str::to_owned).collect()
            }
            _ => Vec::new(),
        };
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        Self { error, cause, output }
    }
}

impl UserError for Untuned {
    fn hint(&self) -> Option<String> {
        match &self.error {
            TuneError::AlwaysFails { .. } => {
                Some("fix the test, or name the line whose wait is too short".to_owned())
            }
            TuneError::TestNotFound { instead, .. } if instead.is_empty() => {
                Some("the command has to run the tests of the file".to_owned())
            }
            TuneError::TestNotFound { instead, .. } => Some(format!("it ran {}", instead.join(", "))),
            _ => self.cause.clone(),
        }
    }

    fn output(&self) -> &[String] {
        &self.output
    }
}
