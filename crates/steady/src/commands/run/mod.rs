//! `steady run`: replays a suite natively.

mod args;
mod junit;
mod report;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use steady_http::{Client, TransportError};
use steady_model::{Event, Suite};
use steady_suite::{
    Failure, ProcessEnvironment, RunOptions, TestError, TestFinished, TestOutcome, look_up_secrets, run_suite,
};

pub use args::RunArgs;

use super::runtime;
use crate::config::Config;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::output::UnfinishedFile;
use crate::session::{Ended, Session};
use crate::ui::{self, Verbosity};
use crate::{suite, sut};
use junit::JunitReport;
use report::RunReport;

/// How long the test under way may go on after the user asked for the end.
const GRACE: Duration = Duration::from_millis(500);

/// Runs the suite and says how it went.
pub fn run(session: &Session, args: &RunArgs) -> Result<Ended, CommandError> {
    let suite = suite::load(&args.suite)?;
    let shared = session.shared();
    let config = Config::load(shared.config.as_deref())?;
    suite::check_environment(&suite, &ProcessEnvironment)?;
    let runtime = runtime()?;
    let sut = if args.url.is_some() { None } else { config.sut_spec() };
    let mut sut = session.unless_cancelled(&runtime, sut::start(sut))??;
    let url = suite::base_url(args.url.as_ref(), sut.as_ref(), &config, &suite)?;
    let client_options = args.connection.client_options_of_flags();
    let client = Client::new(url, client_options.clone())?;
    // Claimed before the run: results must not be lost because they cannot be written.
    let junit = args.junit.as_deref().map(UnfinishedFile::create).transpose()?;
    let options = RunOptions {
        repeat: args.repeat.get(),
        shuffle: args.shuffle,
        workers: args.workers.get(),
        seed: shared.seed,
        client: client_options,
    };
    look_up_secrets(&suite, session.secrets());
    let mut reporter = TestReporter::new(session, &suite, options.repeat > 1);
    let cancel = session.cancel();
    runtime.block_on(async {
        let tests = run_suite(&client, &suite, session.secrets(), &options, |finished| {
            let next = reporter.on_finished(finished);
            if cancel.is_requested() { ControlFlow::Break(()) } else { next }
        });
        let patience = async {
            cancel.requested().await;
            tokio::time::sleep(GRACE).await;
        };
        tokio::select! {
            _ = tests => {}
            () = patience => {}
        }
    });
    let result = reporter.finish(junit);
    if let Some(sut) = &mut sut {
        runtime.block_on(sut::stop(sut, cancel))?;
    }
    if args.shuffle && shared.verbosity > Verbosity::Quiet {
        ui::eprint_line(&format!(
            "test order from seed {}; repeat it with --seed {}",
            shared.seed, shared.seed
        ));
    }
    result
}

/// Reports each test as it ends, and keeps what the end of the run needs.
struct TestReporter<'a> {
    session: &'a Session,
    report: RunReport,
    junit: JunitReport,
    started: Instant,
    answered: bool,
    /// Why the run cannot go on.
    obstacle: Option<CommandError>,
}

impl<'a> TestReporter<'a> {
    fn new(session: &'a Session, suite: &Suite, repeated: bool) -> Self {
        Self {
            session,
            report: RunReport::default(),
            junit: JunitReport::new(&suite.api.title, repeated),
            started: Instant::now(),
            answered: false,
            obstacle: None,
        }
    }

    fn on_finished(&mut self, finished: TestFinished<'_>) -> ControlFlow<()> {
        let TestFinished { test, round, mut outcome } = finished;
        if self.obstacle.is_some() {
            return ControlFlow::Break(());
        }
        self.answered |= outcome.calls.iter().any(|call| call.result.is_ok());
        self.obstacle = obstacle(&mut outcome, self.answered);
        if self.obstacle.is_some() {
            return ControlFlow::Break(());
        }
        let masked = |failure: Failure| failure.masked(self.session.secrets());
        let failures: Vec<Failure> = outcome.failures(test).into_iter().map(masked).collect();
        let class = format!("{:?}", test.group).to_lowercase();
        self.junit.add(&test.name, &class, round, &failures, outcome.elapsed);
        self.session.emit(Event::TestFinished {
            test: test.name.clone(),
            passed: failures.is_empty(),
            failures: failures.iter().map(ToString::to_string).collect(),
            milliseconds: outcome.elapsed.as_secs_f64() * 1000.0,
        });
        let verbosity = self.session.shared().verbosity;
        match self.report.note(&test.name, &failures, outcome.elapsed, verbosity) {
            Some(text) => self.print(&text),
            None => ControlFlow::Continue(()),
        }
    }

    /// Prints a test as it ends; there is no need to wait for the last one.
    fn print(&mut self, text: &str) -> ControlFlow<()> {
        if !self.session.is_json()
            && let Err(error) = ui::print(text)
        {
            self.obstacle = Some(error.into());
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn finish(self, junit: Option<UnfinishedFile>) -> Result<Ended, CommandError> {
        if let Some(obstacle) = self.obstacle {
            return Err(obstacle);
        }
        let elapsed = self.started.elapsed();
        let interrupted = self.session.cancel().is_requested();
        if let Some(file) = junit {
            crate::junit::write(file, self.junit.into_suite(), elapsed)?;
        }
        let exit = match self.report.failed() {
            0 if interrupted => Exit::Error,
            0 => Exit::Clean,
            _ => Exit::Findings,
        };
        let report = match self.session.shared().verbosity {
            Verbosity::Quiet => String::new(),
            _ => self.report.summary(elapsed, interrupted),
        };
        Ok(Ended { interrupted, ..Ended::with(exit, report) })
    }
}

/// An API that cannot be reached, or a login that is refused, says nothing about the tests.
fn obstacle(outcome: &mut TestOutcome, answered: bool) -> Option<CommandError> {
    if let Some(TestError::Session { source, .. }) = &outcome.error {
        return Some(source.clone().into());
    }
    if answered {
        return None;
    }
    let unreachable = outcome.calls.pop_if(|call| call.result.as_ref().is_err_and(is_no_answer))?;
    unreachable.result.err().map(CommandError::from)
}

/// Whether there is no service that could answer, or none that can be trusted.
fn is_no_answer(error: &TransportError) -> bool {
    error.is_unreachable() || matches!(error, TransportError::Tls { .. })
}
