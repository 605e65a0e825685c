//! Runs tests over the wire: the one place of this crate that waits.

use std::cell::{Cell, RefCell};
use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

use chacha20::ChaCha8Rng;
use futures_util::future::join_all;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use serde_json::Value;
use steady_http::{Channel, Client, ClientOptions, TransportError};
use steady_model::{Base, Call, Exchange, Place, Request, Response, Suite, TestCase};

use crate::failure::{self, Failure};
use crate::{
    BindError, Environment, Mismatch, SessionError, Sessions, Variables, bind, capture, check, fresh,
};

/// A test could not continue, for a reason other than the API's answers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TestError {
    /// A request could not be made.
    #[error("call {} cannot be made", call + 1)]
    Bind {
        /// Which call of the test, from zero.
        call: usize,
        /// What is missing.
        #[source]
        source: BindError,
    },
    /// The identity of a call cannot be used.
    #[error("call {} cannot be made", call + 1)]
    Session {
        /// Which call of the test, from zero.
        call: usize,
        /// Why.
        #[source]
        source: SessionError,
    },
}

/// The result of one call.
#[derive(Debug)]
pub struct CallOutcome {
    /// What was sent.
    pub request: Request,
    /// What came back.
    pub result: Result<Exchange, TransportError>,
    /// The assertions that do not hold.
    pub mismatches: Vec<Mismatch>,
}

/// The result of one run of a test.
#[derive(Debug)]
pub struct TestOutcome {
    /// The calls made, in order; clean-up aside.
    pub calls: Vec<CallOutcome>,
    /// Why no further call could be made.
    pub error: Option<TestError>,
    /// Its variables, at the end.
    pub variables: Variables,
    /// How long it took, clean-up included.
    pub elapsed: Duration,
}

impl TestError {
    /// Which call of the test could not be made, from zero.
    pub fn call(&self) -> usize {
        match self {
            Self::Bind { call, .. } | Self::Session { call, .. } => *call,
        }
    }
}

impl TestOutcome {
    /// Whether every call was answered and every assertion held.
    pub fn passed(&self) -> bool {
        self.error.is_none()
            && self.calls.iter().all(|call| call.result.is_ok() && call.mismatches.is_empty())
    }

    /// The responses to the calls, up to the first that was not answered.
    pub fn responses(&self) -> impl Iterator<Item = &Response> {
        self.calls.iter().map_while(|call| call.result.as_ref().ok()).map(|exchange| &exchange.response)
    }

    /// What went wrong, call by call; `test` is the test that was run.
    pub fn failures(&self, test: &TestCase) -> Vec<Failure> {
        let calls = self.calls.iter().zip(&test.calls).enumerate();
        let mut failures: Vec<_> =
            calls.flat_map(|(index, (outcome, call))| failure::of_call(index, call, outcome)).collect();
        failures.extend(self.error.as_ref().map(|error| failure::of_error(test, error)));
        failures
    }
}

/// Replays one test. Stops at the first call that cannot be made, gets no answer, answers with another status than
/// expected, or lacks a value that a later call needs. Clean-up is always made.
pub async fn run_test(
    channel: &mut Channel,
    test: &TestCase,
    sessions: &mut Sessions,
    environment: &dyn Environment,
    seed: u64,
) -> TestOutcome {
    let started = Instant::now();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let values = test.fresh.iter().map(|name| (name.name.clone(), Value::from(fresh(name, &mut rng))));
    let variables = values.collect::<Variables>().at(base_of(channel)).looked_up(test, environment);
    let mut replay = Replay { channel, sessions, environment, variables };
    let mut calls = Vec::with_capacity(test.calls.len());
    let mut error = None;
    for (index, call) in test.calls.iter().enumerate() {
        match replay.call(index, call).await {
            Ok((outcome, flow)) => {
                calls.push(outcome);
                if flow.is_break() {
                    break;
                }
            }
            Err(stopped) => {
                error = Some(stopped);
                break;
            }
        }
    }
    for (index, call) in test.cleanup.iter().enumerate() {
        // A failed test need not have created everything, so failures of the clean-up do not count.
        let _ = replay.call(index, call).await;
    }
    TestOutcome { calls, error, variables: replay.variables, elapsed: started.elapsed() }
}

/// The address a channel leads to.
pub(crate) fn base_of(channel: &Channel) -> Base {
    Base::at(&channel.base().to_string())
}

struct Replay<'a> {
    channel: &'a mut Channel,
    sessions: &'a mut Sessions,
    environment: &'a dyn Environment,
    variables: Variables,
}

impl Replay<'_> {
    async fn call(&mut self, index: usize, call: &Call) -> Result<(CallOutcome, ControlFlow<()>), TestError> {
        let mut request = bind(&call.request, &self.variables, self.environment)
            .map_err(|source| TestError::Bind { call: index, source })?;
        let bare = request.clone();
        if let Some(identity) = &call.identity {
            let credentials = self
                .sessions
                .credentials(self.channel, identity, self.environment)
                .await
                .map_err(|source| TestError::Session { call: index, source })?;
            credentials.apply(&mut request);
        }
        Ok(match self.channel.send(&request).await {
            Ok((response, elapsed)) => {
                self.environment.exchanged(&bare, &response);
                let (mismatches, flow) = self.judge(call, &response);
                let exchange = Exchange { request: request.clone(), response, elapsed };
                (CallOutcome { request, result: Ok(exchange), mismatches }, flow)
            }
            Err(error) => {
                (CallOutcome { request, result: Err(error), mismatches: vec![] }, ControlFlow::Break(()))
            }
        })
    }

    /// Checks the status first: under another status the other assertions speak of another kind of response.
    fn judge(&mut self, call: &Call, response: &Response) -> (Vec<Mismatch>, ControlFlow<()>) {
        let document = response.document();
        let (on_status, others): (Vec<_>, Vec<_>) =
            call.expect.iter().partition(|assertion| assertion.place == Place::Status);
        let failed = |assertion| check(assertion, response, &document, &self.variables).err();
        let mut mismatches: Vec<_> = on_status.into_iter().filter_map(failed).collect();
        if !mismatches.is_empty() {
            return (mismatches, ControlFlow::Break(()));
        }
        let mut captured = Vec::new();
        let mut flow = ControlFlow::Continue(());
        for wanted in &call.captures {
            match capture(wanted, response) {
                Some(value) => captured.push((wanted.name.clone(), value)),
                None => {
                    flow = ControlFlow::Break(());
                    mismatches.push(Mismatch {
                        place: wanted.from.clone(),
                        expected: format!("a value for variable `{}`", wanted.name),
                        actual: "nothing".to_owned(),
                        diff: None,
                    });
                }
            }
        }
        for (name, value) in captured {
            self.variables.set(name, value);
        }
        let failed = |assertion| check(assertion, response, &document, &self.variables).err();
        mismatches.extend(others.into_iter().filter_map(failed));
        (mismatches, flow)
    }
}

/// How a suite is run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// How often each test is run.
    pub repeat: u32,
    /// Whether the order is another one in every round.
    pub shuffle: bool,
    /// How many tests run at a time.
    pub workers: usize,
    /// Decides the order when shuffled, and the fresh values.
    pub seed: u64,
    /// For logins at another server.
    pub client: ClientOptions,
}

/// One test of a suite was run.
#[derive(Debug)]
pub struct TestFinished<'a> {
    /// The test.
    pub test: &'a TestCase,
    /// Which round, from zero.
    pub round: u32,
    /// Its result.
    pub outcome: TestOutcome,
}

/// Runs every test of a suite and reports each as it ends; on cancellation, ends after the running tests.
pub async fn run_suite(
    client: &Client,
    suite: &Suite,
    environment: &dyn Environment,
    options: &RunOptions,
    finished: impl FnMut(TestFinished<'_>) -> ControlFlow<()>,
) {
    let schedule = RefCell::new(Schedule::new(suite.tests.len(), options));
    let next = || schedule.borrow_mut().next();
    let stopped = Cell::new(false);
    let finished = RefCell::new(finished);
    let mut sessions = Sessions::new(suite.identities.iter().cloned(), options.client.clone());
    open_sessions(client, suite, &mut sessions, environment).await;

    let worker = async |mut sessions: Sessions| {
        let mut channel = client.channel();
        while !stopped.get()
            && let Some(run) = next()
        {
            let test = &suite.tests[run.test];
            let outcome = run_test(&mut channel, test, &mut sessions, environment, run.seed).await;
            let flow = (finished.borrow_mut())(TestFinished { test, round: run.round, outcome });
            stopped.set(stopped.get() || flow.is_break());
        }
    };
    join_all((0..options.workers.max(1)).map(|_| worker(sessions.clone()))).await;
}

/// Logs in before the workers start, so each identity logs in once and not once per worker.
async fn open_sessions(
    client: &Client,
    suite: &Suite,
    sessions: &mut Sessions,
    environment: &dyn Environment,
) {
    let mut channel = client.channel();
    let calls = suite.tests.iter().flat_map(|test| test.calls.iter().chain(&test.cleanup));
    for identity in calls.filter_map(|call| call.identity.as_deref()) {
        // The sessions keep the failure, and each test that needs the identity reports it.
        let _ = sessions.credentials(&mut channel, identity, environment).await;
    }
}

/// The tests to run, one after another; never listed in full, since a suite may be repeated endlessly.
struct Schedule {
    rng: ChaCha8Rng,
    order: Vec<usize>,
    shuffle: bool,
    rounds: Range<u32>,
    round: u32,
    position: usize,
}

struct ScheduledTest {
    test: usize,
    round: u32,
    seed: u64,
}

impl Schedule {
    fn new(tests: usize, options: &RunOptions) -> Self {
        Self {
            rng: ChaCha8Rng::seed_from_u64(options.seed),
            order: (0..tests).collect(),
            shuffle: options.shuffle,
            rounds: 0..options.repeat,
            round: 0,
            position: tests,
        }
    }
}

impl Iterator for Schedule {
    type Item = ScheduledTest;

    fn next(&mut self) -> Option<ScheduledTest> {
        if self.position == self.order.len() {
            self.round = self.rounds.next()?;
            self.position = 0;
            if self.shuffle {
                self.order.shuffle(&mut self.rng);
            }
        }
        let test = *self.order.get(self.position)?;
        self.position += 1;
        Some(ScheduledTest { test, round: self.round, seed: self.rng.next_u64() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(repeat: u32, shuffle: bool, seed: u64) -> RunOptions {
        RunOptions { repeat, shuffle, workers: 1, seed, client: ClientOptions::default() }
    }

    fn order(options: &RunOptions) -> Vec<usize> {
        Schedule::new(20, options).map(|run| run.test).collect()
    }

    #[test]
    fn tests_run_in_file_order_unless_shuffled() {
        assert_eq!(order(&options(2, false, 1)), (0..20).chain(0..20).collect::<Vec<_>>());
    }

    #[test]
    fn a_shuffled_order_follows_the_seed_and_runs_each_test_once_a_round() {
        let shuffled = order(&options(1, true, 1));
        assert_eq!(shuffled, order(&options(1, true, 1)));
        assert_ne!(shuffled, order(&options(1, true, 2)));
        let mut sorted = shuffled;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..20).collect::<Vec<_>>());
    }

    #[test]
    fn fresh_values_differ_between_rounds() {
        let runs: Vec<_> = Schedule::new(1, &options(2, false, 1)).collect();
        assert_eq!((runs[0].round, runs[1].round), (0, 1));
        assert_ne!(runs[0].seed, runs[1].seed);
    }

    #[test]
    fn an_empty_suite_ends_at_once_however_often_it_is_repeated() {
        assert_eq!(Schedule::new(0, &options(u32::MAX, true, 1)).count(), 0);
    }
}
