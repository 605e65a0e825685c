//! The last calls of a run: operations that stop the service for all clients, and what undoes them.
//!
//! What answers after such a call says nothing about the API as others find it, so nothing comes after them. A test is kept of one
//! that is seen to be undone: it stops the service, and starts it again as its clean-up.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use steady_flaky::drive::Limit;
use steady_flaky::relax::{ObservedTest, Policy};
use steady_http::Channel;
use steady_model::rerun::Condition;
use steady_model::{Event, OperationId, TestCase};
use steady_suite::run_test;

use super::documented::Documented;
use super::options::FuzzOptions;
use super::play::Player;
use super::recheck::{Rechecked, observed_test};
use crate::drafts::{Draft, Names};
use crate::{ApiModel, EndpointId, Engine, Executed, Execution, Goal, Halt, ObservedRun, Random};

/// How often a service is stopped and started before that counts as a test.
const TIMES: usize = 2;
/// Tests of the neighbourhood that must pass as before.
const NEIGHBOURS: usize = 6;
/// The share of the time for flaky values that is kept for these calls, and the most it can be.
const SHARE: f64 = 0.1;
const MOST: Duration = Duration::from_secs(5);
/// The time they have where the rest was used up.
const LEAST: Duration = Duration::from_secs(1);

/// How much of the time for flaky values is kept for these calls.
pub fn share(time: Duration) -> Duration {
    time.mul_f64(SHARE).min(MOST)
}

/// Calls what stops the service, and keeps tests of what can be undone.
pub async fn call_last(
    engine: &RefCell<Engine>,
    player: &Player<'_, '_>,
    options: &FuzzOptions,
    end: Option<Instant>,
    rechecked: &mut Rechecked,
    emit: &RefCell<&mut dyn FnMut(Event)>,
) {
    if engine.borrow().model().guard.last().is_empty() {
        return;
    }
    let end = end.map(|end| end.max(Instant::now() + LEAST));
    let limit = Limit::new(options.cancel.clone()).until(end);
    match limit.within(player.reconnect()).await {
        Some(Ok(())) => {}
        Some(Err(error)) => {
            let message = format!("operations that stop the service were not called: {error}");
            return (emit.borrow_mut())(Event::Warning { message });
        }
        None => return,
    }
    let mut calls = FinalCalls {
        engine,
        player,
        model: Rc::clone(engine.borrow().model()),
        // A stream of its own: whether there is such an operation must not change what is drawn elsewhere.
        random: Random::new(options.shard_seed(), u64::MAX - 1),
        channel: player.channel(),
        emit,
    };
    let halts = calls.model.guard.last();
    for (endpoint, halt) in halts {
        if limit.is_over() || player.api_is_gone() {
            return;
        }
        if let Some(Some(observed)) = limit.within(calls.call(endpoint, halt, &rechecked.tests)).await {
            rechecked.tests.push(observed);
        }
    }
}

struct FinalCalls<'a, 'b, 'f, 'e> {
    engine: &'a RefCell<Engine>,
    player: &'a Player<'b, 'f>,
    model: Rc<ApiModel>,
    random: Random,
    channel: Channel,
    emit: &'a RefCell<&'e mut dyn FnMut(Event)>,
}

impl FinalCalls<'_, '_, '_, '_> {
    /// Stops the service and starts it again; the test of that, when it is seen to work.
    async fn call(
        &mut self,
        endpoint: EndpointId,
        halt: Halt,
        tests: &[ObservedTest],
    ) -> Option<ObservedTest> {
        let plan = self.engine.borrow().halt(endpoint, halt, &mut self.random);
        let id = self.model.catalog[endpoint].operation.id.clone();
        let neighbours = self.passing(neighbours(tests, &id, &self.model)).await;
        let mut runs = Vec::new();
        for _ in 0..TIMES {
            let execution =
                self.player.play(&mut self.channel, plan.clone(), &self.model, &mut self.random).await;
            let events = self.engine.borrow_mut().absorb(&execution, &mut self.random);
            events.into_iter().for_each(|event| (self.emit.borrow_mut())(event));
            let stops = stopped(&execution, halt);
            if !stops {
                // It was refused, and stopped nothing.
                return None;
            }
            let starts = execution.is_complete() && execution.calls.last().is_some_and(Executed::succeeded);
            if halt.undo.is_none() || !starts {
                self.restart_or_warn(&id).await;
                return None;
            }
            runs.push(execution);
        }
        if self.passing(neighbours.clone()).await.len() < neighbours.len() {
            self.restart_or_warn(&id).await;
            return None;
        }
        self.observed_test(endpoint, &runs).await
    }

    /// Restarts a managed API; warns that an external one may be stopped.
    async fn restart_or_warn(&self, operation: &OperationId) {
        let mut access = self.player.access.lock().await;
        if access.is_managed() {
            // Whether it comes back matters only to calls of this kind.
            let _ = access.restart(&Condition::default()).await;
            return;
        }
        let message = format!(
            "{operation} stopped the service, and nothing in the document is seen to start it again: it was called last, no test \
             uses it, and the API may need a restart"
        );
        (self.emit.borrow_mut())(Event::Warning { message });
    }

    /// Those of some tests that pass.
    async fn passing(&mut self, tests: Vec<TestCase>) -> Vec<TestCase> {
        let mut sessions = self.player.sessions();
        let mut passing = Vec::new();
        for test in tests {
            let seed = self.random.bits();
            let secrets = self.player.secrets();
            let outcome = Box::pin(run_test(&mut self.channel, &test, &mut sessions, secrets, seed)).await;
            if outcome.passed() {
                passing.push(test);
            }
        }
        passing
    }

    /// The test, when the native runner finds that it passes.
    async fn observed_test(&mut self, endpoint: EndpointId, runs: &[Execution]) -> Option<ObservedTest> {
        let first = runs.first()?;
        let length = first.plan.calls.len() - 1;
        let status = first.calls.get(length - 1)?.status()?;
        let draft = Draft {
            number: usize::MAX,
            plan: first.plan.clone(),
            length,
            goals: vec![Goal::Status { endpoint, status }],
            status,
            runs: runs.iter().filter_map(|run| ObservedRun::of(run, run.calls.len())).collect(),
            status_changes: Vec::new(),
        };
        let title = Names::default().describe(&self.engine.borrow(), &draft);
        let observed =
            observed_test(&self.engine.borrow(), &self.channel.base().to_string(), &draft, &title)?;
        let (test, _) = observed.handled(Policy::Relax, &Documented(&self.model.catalog));
        (self.passing(vec![test]).await.len() == 1).then_some(observed)
    }
}

/// Whether a run stopped the service.
fn stopped(execution: &Execution, halt: Halt) -> bool {
    let length = execution.plan.calls.len() - usize::from(halt.undo.is_some());
    execution.calls.get(length - 1).is_some_and(Executed::succeeded)
}

/// Some tests of operations beside one, as they are written.
fn neighbours(tests: &[ObservedTest], operation: &OperationId, model: &ApiModel) -> Vec<TestCase> {
    let parent = operation.path.rsplit_once('/').map_or("", |(parent, _)| parent);
    let beside = |observed: &&ObservedTest| {
        observed.test.calls.iter().any(|call| call.operation.path.starts_with(parent))
    };
    let handled = |observed: &ObservedTest| observed.handled(Policy::Relax, &Documented(&model.catalog)).0;
    tests.iter().filter(beside).take(NEIGHBOURS).map(handled).collect()
}
