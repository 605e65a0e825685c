//! Runs tests once and remembers what came back.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use steady_flaky::Step;
use steady_flaky::relax::Trial;
use steady_http::{Client, ClientOptions, TransportError};
use steady_model::{Identity, Response, TestCase};
use steady_replay::{Environment, Sessions, TestOutcome, run_test};
use tokio::sync::watch;

use crate::cost::Cost;
use crate::error::StabilizeError;

/// All that running a test takes.
pub struct Stage<'a> {
    /// Where the API is.
    pub client: Client,
    /// How other servers are talked to, for logins.
    pub options: ClientOptions,
    /// Who calls are made as.
    pub identities: Vec<Identity>,
    /// The sessions that are open; those of an API that was started anew are not.
    pub sessions: RefCell<Sessions>,
    /// Where secrets are looked up.
    pub environment: &'a dyn Environment,
    /// How many requests a second may be sent.
    pub rate: Option<f64>,
    /// Decides what is random.
    pub seed: u64,
    /// Turns true when the user wants it to end.
    pub stop: watch::Receiver<bool>,
}

impl Stage<'_> {
    /// Whether the user wants it to end.
    pub(crate) fn is_over(&self) -> bool {
        *self.stop.borrow()
    }

    /// The API knows nobody any more.
    pub(crate) fn begin_anew(&self) {
        self.sessions.replace(Sessions::new(self.identities.clone(), self.options.clone()));
    }

    /// Runs every trial's test once, in this order of their indices.
    pub(crate) async fn rehearse(
        &self,
        trials: &mut [Trial],
        step: Step,
        order: impl IntoIterator<Item = usize>,
        cost: &mut Cost,
        name: &str,
    ) -> Result<(), StabilizeError> {
        let started = Instant::now();
        let mut run = Run::new(self);
        for index in order {
            if self.is_over() {
                break;
            }
            let Some(trial) = trials.get_mut(index) else { continue };
            let seed = self.seed.wrapping_add(index as u64).wrapping_add((trial.runs() as u64) << 32);
            let outcome = run.test(&trial.test, seed).await?;
            trial.saw(step, responses(&outcome), &outcome.variables);
        }
        cost.add(name, run.requests, started.elapsed());
        self.sessions.replace(run.sessions);
        run.silence.map_or(Ok(()), |source| Err(StabilizeError::Unreachable { source }))
    }
}

/// One run of some tests, over one connection.
pub(crate) struct Run<'a> {
    stage: &'a Stage<'a>,
    pub sessions: Sessions,
    channel: steady_http::Channel,
    pub requests: u64,
    started: Instant,
    /// Why nobody was there, the last time.
    silence: Option<TransportError>,
    refused: u32,
}

/// Refused connections in a row that mean the API is gone.
const GONE: u32 = 5;

impl<'a> Run<'a> {
    pub fn new(stage: &'a Stage<'a>) -> Self {
        let sessions = stage.sessions.borrow().clone();
        Self {
            stage,
            sessions,
            channel: stage.client.channel(),
            requests: 0,
            started: Instant::now(),
            silence: None,
            refused: 0,
        }
    }

    /// Waits until the requests so far are no more than the user allows.
    async fn keep_pace(&self) {
        if let Some(rate) = self.stage.rate {
            let due = self.started + Duration::from_secs_f64(self.requests as f64 / rate);
            tokio::time::sleep_until(due.into()).await;
        }
    }

    pub async fn test(&mut self, test: &TestCase, seed: u64) -> Result<TestOutcome, StabilizeError> {
        self.keep_pace().await;
        let mut outcome =
            run_test(&mut self.channel, test, &mut self.sessions, self.stage.environment, seed).await;
        self.requests += (outcome.calls.len() + test.cleanup.len()) as u64;
        let nobody = |error: &TransportError| {
            matches!(
                error,
                TransportError::Refused { .. }
                    | TransportError::Unreachable { .. }
                    | TransportError::Unresolved { .. }
            )
        };
        match outcome.calls.pop_if(|call| call.result.as_ref().is_err_and(nobody)) {
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
        Ok(outcome)
    }
}

/// The answers to the calls that were answered.
pub(crate) fn responses(outcome: &TestOutcome) -> impl Iterator<Item = &Response> {
    outcome.calls.iter().map_while(|call| call.result.as_ref().ok()).map(|exchange| &exchange.response)
}
