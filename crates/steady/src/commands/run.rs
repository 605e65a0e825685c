//! `steady run`: replays a suite natively.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use steady_http::{Client, TransportError};
use steady_model::{Event, Suite};
use steady_replay::{ProcessEnvironment, RunOptions, TestError, TestFinished, TestOutcome, run_suite};

use super::runtime;
use crate::cli::{RunArgs, SharedArgs};
use crate::config::Config;
use crate::error::{CommandError, UserError};
use crate::events::{Events, JsonLines, Reporter};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::junit::JunitReport;
use crate::options::{SharedOptions, client_options_of_flags};
use crate::output::UnfinishedFile;
use crate::terminal::{self, ProgressReporter, RunReport, Verbosity};
use crate::values::ApiUrl;
use crate::{suite_file, sut};

/// Runs the suite and says how it went.
pub fn run(shared: &SharedArgs, args: &RunArgs) -> Result<Exit, CommandError> {
    let suite = suite_file::load(&args.suite)?;
    let config = Config::load(shared.config.as_deref())?;
    suite_file::check_environment(&suite, &ProcessEnvironment)?;
    let runtime = runtime()?;
    let sut = if args.url.is_some() { None } else { config.sut_spec() };
    let mut sut = runtime.block_on(sut::start(sut))?;
    let url = match (&args.url, &sut) {
        (Some(url), _) => url.clone(),
        (None, Some(sut)) => sut.url().parse()?,
        (None, None) => match config.api.url.as_ref().and_then(ApiUrl::fixed) {
            Some(url) => url,
            None => suite_file::url_of(&suite)?,
        },
    };
    let client_options = client_options_of_flags(&args.connection);
    let client = Client::new(url, client_options.clone())?;
    // Claimed before the run, so that its results cannot be lost for want of a place.
    let junit = args.junit.as_deref().map(UnfinishedFile::create).transpose()?;
    let shared = SharedOptions::from_args(shared);
    let options = RunOptions {
        repeat: args.repeat.get(),
        shuffle: args.shuffle,
        workers: args.workers.get(),
        seed: shared.seed,
        client: client_options,
    };
    let mut listener = Listener::new(&suite, &shared, options.repeat > 1);
    listener.events.emit(Event::RunStarted {
        command: "run".to_owned(),
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: shared.seed,
    });
    runtime.block_on(async {
        let interrupt = Interrupt::listen();
        run_suite(&client, &suite, &ProcessEnvironment, &options, |finished| {
            let heard = listener.hear(finished);
            if interrupt.is_requested() { ControlFlow::Break(()) } else { heard }
        })
        .await;
        listener.interrupted = interrupt.is_requested();
    });
    if let Some(sut) = &mut sut {
        runtime.block_on(sut.stop())?;
    }
    if args.shuffle && shared.verbosity > Verbosity::Quiet {
        terminal::talk(&format!("order of seed {}, repeat with --seed {}", shared.seed, shared.seed));
    }
    listener.finish(junit)
}

/// Hears of each test as it ends, and keeps what the end of the run needs.
struct Listener {
    events: Events,
    report: RunReport,
    junit: JunitReport,
    human: bool,
    verbosity: Verbosity,
    started: Instant,
    answered: bool,
    /// Why the run cannot go on.
    obstacle: Option<CommandError>,
    interrupted: bool,
}

impl Listener {
    fn new(suite: &Suite, shared: &SharedOptions, repeated: bool) -> Self {
        let mut reporters: Vec<Box<dyn Reporter>> =
            vec![Box::new(ProgressReporter::new(None, shared.verbosity, true))];
        if shared.json {
            reporters.push(Box::new(JsonLines::new("stdout", io::stdout())));
        }
        Self {
            events: Events::new(reporters),
            report: RunReport::default(),
            junit: JunitReport::new(&suite.api.title, repeated),
            human: !shared.json,
            verbosity: shared.verbosity,
            started: Instant::now(),
            answered: false,
            obstacle: None,
            interrupted: false,
        }
    }

    fn hear(&mut self, finished: TestFinished<'_>) -> ControlFlow<()> {
        let TestFinished { test, round, mut outcome } = finished;
        if self.obstacle.is_some() {
            return ControlFlow::Break(());
        }
        self.answered |= outcome.calls.iter().any(|call| call.result.is_ok());
        self.obstacle = obstacle(&mut outcome, self.answered);
        if self.obstacle.is_some() {
            return ControlFlow::Break(());
        }
        let failures = outcome.failures(test);
        let class = format!("{:?}", test.group).to_lowercase();
        self.junit.add(&test.name, &class, round, &failures, outcome.elapsed);
        self.events.emit(Event::TestFinished {
            test: test.name.clone(),
            passed: failures.is_empty(),
            failures: failures.iter().map(ToString::to_string).collect(),
            milliseconds: outcome.elapsed.as_secs_f64() * 1000.0,
        });
        match self.report.note(&test.name, &failures, outcome.elapsed, self.verbosity) {
            Some(text) => self.print(&text),
            None => ControlFlow::Continue(()),
        }
    }

    fn print(&mut self, text: &str) -> ControlFlow<()> {
        if self.human
            && let Err(error) = terminal::print(text)
        {
            self.obstacle = Some(error.into());
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn finish(mut self, junit: Option<UnfinishedFile>) -> Result<Exit, CommandError> {
        let elapsed = self.started.elapsed();
        if self.verbosity > Verbosity::Quiet && self.obstacle.is_none() {
            let summary = self.report.summary(elapsed, self.interrupted);
            // A failure to print is an obstacle, and looked at below.
            let _ = self.print(&summary);
        }
        let result = match self.obstacle.take() {
            Some(obstacle) => Err(obstacle),
            None => write_junit(self.junit, elapsed, junit).map(|()| match self.report.failed() {
                0 if self.interrupted => Exit::CouldNot,
                0 => Exit::Clean,
                _ => Exit::Findings,
            }),
        };
        let exit = *result.as_ref().unwrap_or(&Exit::CouldNot);
        self.events.emit(Event::RunFinished {
            exit_code: exit.code(),
            interrupted: self.interrupted,
            summary: None,
        });
        self.events.finish();
        result
    }
}

/// Nobody there, or nobody who lets us in: that says nothing about the tests.
fn obstacle(outcome: &mut TestOutcome, answered: bool) -> Option<CommandError> {
    if let Some(TestError::Session { source, .. }) = &outcome.error {
        return Some(source.clone().into());
    }
    if answered {
        return None;
    }
    let unreachable = outcome.calls.pop_if(|call| call.result.as_ref().is_err_and(is_unreachable))?;
    unreachable.result.err().map(CommandError::from)
}

fn is_unreachable(error: &TransportError) -> bool {
    matches!(
        error,
        TransportError::Unresolved { .. }
            | TransportError::Refused { .. }
            | TransportError::Unreachable { .. }
            | TransportError::Tls { .. }
    )
}

/// The results cannot be written as XML.
#[derive(Debug, thiserror::Error)]
enum JunitError {
    #[error("the results cannot be written as JUnit XML")]
    Serialize(#[from] quick_junit::SerializeError),
    #[error("the JUnit file cannot be written")]
    Write(#[from] io::Error),
}

impl UserError for JunitError {}

fn write_junit(
    report: JunitReport,
    elapsed: Duration,
    file: Option<UnfinishedFile>,
) -> Result<(), CommandError> {
    let Some(mut file) = file else { return Ok(()) };
    let xml = report.finish(elapsed).map_err(JunitError::from)?;
    file.write_all(xml.as_bytes()).map_err(JunitError::from)?;
    Ok(file.finish()?)
}
