//! Runs tests once and remembers what came back.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use crate::relax::ObservedTest;
use steady_http::{BaseUrl, Client, ClientOptions, TransportError};
use steady_model::rerun::Condition;
use steady_model::{Identity, TestCase};
use steady_suite::{Environment, Sessions, TestOutcome, run_test};
use steady_sut::SutError;
use tokio::time::Instant;

use crate::drive::cost::Cost;
use crate::drive::error::StabilizeError;
use crate::drive::limit::Limit;
use crate::drive::sut_access::SutAccess;
use crate::drive::test_set::Round;

/// Tests in a row whose connections are refused, after which the API counts as gone.
const GONE: u32 = 5;
/// How often an API that died is restarted in all.
const REVIVALS: u32 = 30;

/// All that running a test takes.
pub struct RunContext<'a> {
    /// Where the API is; one that steady starts may move to another port.
    pub client: RefCell<Client>,
    /// How other servers are talked to, for logins.
    pub options: ClientOptions,
    /// Who calls are made as.
    pub identities: Vec<Identity>,
    /// The sessions that are open; a restart of the API closes them.
    pub sessions: RefCell<Sessions>,
    /// Where secrets are looked up.
    pub environment: &'a dyn Environment,
    /// How many requests a second may be sent.
    pub rate: Option<f64>,
    /// Decides what is random.
    pub seed: u64,
    /// How long it may take.
    pub limit: Limit,
    /// How often the API was restarted because it had died.
    pub revivals: Cell<u32>,
}

impl RunContext<'_> {
    /// Whether it has to end.
    pub(crate) fn is_over(&self) -> bool {
        self.limit.is_over()
    }

    /// The API is at another address now.
    pub(crate) fn follow(&self, url: &str) -> Result<(), StabilizeError> {
        let base: BaseUrl = url.parse().map_err(SutError::from)?;
        self.client.replace(Client::new(base, self.options.clone()).map_err(SutError::from)?);
        Ok(())
    }

    /// The API was restarted: it knows no session any more.
    pub(crate) fn forget_sessions(&self) {
        self.sessions.replace(Sessions::new(self.identities.clone(), self.options.clone()));
    }

    /// Runs every observed test's test once, in this order of their indices; says whether it got to the last.
    pub(crate) async fn run_once(
        &self,
        tests: &mut [ObservedTest],
        round: Round<'_>,
        order: impl IntoIterator<Item = usize>,
        access: &mut SutAccess<'_>,
        cost: &mut Cost,
    ) -> Result<bool, StabilizeError> {
        let mut run = Run::new(self, round.condition);
        let mut complete = true;
        for index in order {
            let Some(observed) = tests.get_mut(index) else { continue };
            let seed = self.seed.wrapping_add(index as u64).wrapping_add((observed.runs() as u64) << 32);
            let Some(outcome) = run.test(&observed.test, seed, access).await? else {
                complete = false;
                break;
            };
            observed.record_run(round.step, outcome.responses(), &outcome.variables);
        }
        run.finish(round.name, cost)?;
        Ok(complete)
    }
}

/// One run of some tests, over one connection.
pub(crate) struct Run<'a> {
    context: &'a RunContext<'a>,
    condition: &'a Condition,
    sessions: Sessions,
    channel: steady_http::Channel,
    requests: u64,
    started: Instant,
    /// Why the last test's connection was refused.
    silence: Option<TransportError>,
    refused: u32,
}

impl<'a> Run<'a> {
    /// A run of an API that is under a condition.
    pub fn new(context: &'a RunContext<'a>, condition: &'a Condition) -> Self {
        let sessions = context.sessions.borrow().clone();
        Self {
            context,
            condition,
            sessions,
            channel: context.client.borrow().channel(),
            requests: 0,
            started: Instant::now(),
            silence: None,
            refused: 0,
        }
    }

    /// Waits until the requests so far are no more than the user allows.
    async fn keep_pace(&self) {
        if let Some(rate) = self.context.rate {
            let due = self.started + Duration::from_secs_f64(self.requests as f64 / rate);
            tokio::time::sleep_until(due).await;
        }
    }

    /// Runs a test; `None` when the time was over before it ended. An API that steady starts and that dies during the
    /// test is restarted, and the test is run once more.
    pub async fn test(
        &mut self,
        test: &TestCase,
        seed: u64,
        access: &mut SutAccess<'_>,
    ) -> Result<Option<TestOutcome>, StabilizeError> {
        if self.context.is_over() {
            return Ok(None);
        }
        let limit = &self.context.limit;
        let Some(mut outcome) = limit.within(self.attempt(test, seed)).await else { return Ok(None) };
        if unanswered(&outcome) && access.is_managed() && self.context.revivals.get() < REVIVALS {
            self.context.revivals.set(self.context.revivals.get() + 1);
            let Some(revived) = limit.within(access.restart(self.condition)).await else { return Ok(None) };
            revived?;
            self.context.forget_sessions();
            self.sessions = self.context.sessions.borrow().clone();
            let Some(again) = limit.within(self.attempt(test, seed)).await else { return Ok(None) };
            outcome = again;
        }
        self.note_silence(&mut outcome)?;
        Ok(Some(outcome))
    }

    async fn attempt(&mut self, test: &TestCase, seed: u64) -> TestOutcome {
        self.keep_pace().await;
        // A request's future is large, and those around it would each hold it again.
        let (channel, sessions) = (&mut self.channel, &mut self.sessions);
        let outcome = Box::pin(run_test(channel, test, sessions, self.context.environment, seed)).await;
        self.requests += (outcome.calls.len() + test.cleanup.len()) as u64;
        outcome
    }

    /// Fails when the connections of some tests in a row were refused.
    fn note_silence(&mut self, outcome: &mut TestOutcome) -> Result<(), StabilizeError> {
        match outcome.calls.pop_if(|call| call.result.as_ref().is_err_and(refuses_connections)) {
            Some(call) => {
                self.refused += 1;
                self.silence = call.result.err();
                if self.refused >= GONE
                    && let Some(source) = self.silence.take()
                {
                    return Err(StabilizeError::Unreachable { source });
                }
            }
            None => (self.refused, self.silence) = (0, None),
        }
        Ok(())
    }

    /// Adds up what it took; fails when the last connection was refused.
    pub fn finish(self, name: &str, cost: &mut Cost) -> Result<(), StabilizeError> {
        cost.add(name, self.requests, self.started.elapsed());
        self.context.sessions.replace(self.sessions);
        self.silence.map_or(Ok(()), |source| Err(StabilizeError::Unreachable { source }))
    }
}

/// Whether the API accepts no connection.
fn refuses_connections(error: &TransportError) -> bool {
    matches!(
        error,
        TransportError::Refused { .. }
            | TransportError::Unreachable { .. }
            | TransportError::Unresolved { .. }
    )
}

/// Whether the last call got no answer, for a reason that a restart may take away.
fn unanswered(outcome: &TestOutcome) -> bool {
    let silent = |error: &TransportError| {
        refuses_connections(error)
            || matches!(error, TransportError::Closed { .. } | TransportError::TimedOut { .. })
    };
    outcome.calls.last().is_some_and(|call| call.result.as_ref().is_err_and(silent))
}

#[cfg(test)]
mod tests;
