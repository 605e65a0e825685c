//! A test and everything that was seen of it.

use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use serde_json::Value;
use steady_model::rerun::Perturbation;
use steady_model::{Base, Body, Call, Document, OperationId, Payload, Response, TestCase};
use steady_suite::Variables;

use super::address::{self, Address};
use super::{Moving, Policy, Schema, Subject, avoided, handle};
use crate::Observation;
use crate::classify::Step;
use crate::infer::Fact;

/// A test whose assertions say what its first run saw, and all its runs.
#[derive(Debug, Clone)]
pub struct ObservedTest {
    /// The test, as exact as can be.
    pub test: TestCase,
    runs: Vec<ObservedRun>,
    forgotten: Option<ObservedRun>,
    avoided: Vec<MovingCall>,
    /// The calls that are answered with something the test did not create.
    borrowed: Vec<usize>,
    now: Timestamp,
    own: Arc<[Fact]>,
}

/// One run of a test.
#[derive(Debug, Clone)]
struct ObservedRun {
    step: Step,
    /// Where the API was.
    base: Option<Base>,
    /// One per call that was answered, in order.
    responses: Vec<Observation>,
    /// Whether a response has what would be taken for the placeholder of the address.
    is_ambiguous: bool,
    /// The same without the API's own address; made when it is first needed.
    addressless: OnceLock<Vec<Observation>>,
}

impl ObservedRun {
    fn new(step: Step, base: Option<&Base>, responses: Vec<Observation>) -> Self {
        let is_ambiguous = responses.iter().any(|observation| address::is_ambiguous(&observation.response));
        Self { step, base: base.cloned(), responses, is_ambiguous, addressless: OnceLock::new() }
    }

    /// The same run, counted for another step.
    fn under(&self, step: Step) -> Self {
        let responses = self.responses.iter().map(|observation| observation.under(step)).collect();
        Self::new(step, self.base.as_ref(), responses)
    }

    /// The response to a call, without the API's own address where `hides_address`.
    fn response(&self, call: usize, hides_address: bool) -> Option<&Observation> {
        let responses = match &self.base {
            Some(base) if hides_address => self.addressless.get_or_init(|| {
                // Each run by its own address: the next start of the API may have another.
                let address = Address::new(base);
                self.responses.iter().map(|observation| address.hidden_from(observation)).collect()
            }),
            _ => &self.responses,
        };
        responses.get(call)
    }
}

/// A place of a call that is not the same every time.
#[derive(Debug, Clone, PartialEq)]
pub struct MovingCall {
    /// The operation that answered.
    pub operation: OperationId,
    /// The status it answered with.
    pub status: u16,
    /// What moved.
    pub moving: Moving,
}

impl MovingCall {
    /// Whether it is about the same place of the same answer.
    fn is_about(&self, other: &Self) -> bool {
        (&self.operation, self.status, &self.moving.place)
            == (&other.operation, other.status, &other.moving.place)
    }
}

/// Where the schemas of responses are found.
pub trait Described {
    /// What the document says about the body of such a response.
    fn schema(&self, operation: &OperationId, response: &Response) -> Option<Schema<'_>>;
}

/// Nothing is described.
impl Described for () {
    fn schema(&self, _: &OperationId, _: &Response) -> Option<Schema<'_>> {
        None
    }
}

impl ObservedTest {
    /// A test that was not run yet; its first run is the one its assertions must have been written from.
    pub fn new(test: TestCase, now: Timestamp) -> Self {
        Self {
            test,
            runs: Vec::new(),
            forgotten: None,
            avoided: Vec::new(),
            borrowed: Vec::new(),
            now,
            own: Arc::default(),
        }
    }

    /// With texts that are this machine's or the API's process's.
    pub fn own(&mut self, own: &Arc<[Fact]>) {
        self.own = Arc::clone(own);
    }

    /// A call is answered with something that the test did not create: another time there may be something else in its place.
    pub fn borrows(&mut self, call: usize) {
        self.borrowed.push(call);
    }

    /// Whether some run began with the API as it is after a start.
    fn had_fresh_start(&self) -> bool {
        let is_fresh = |step: Step| match step {
            Step::Reset | Step::Restart => true,
            Step::Perturbed(what) => what != Perturbation::Order,
            Step::Rerun | Step::Inferred => false,
        };
        self.runs.iter().any(|run| is_fresh(run.step))
    }

    /// Remembers a run.
    pub fn record_run<'a>(
        &mut self,
        step: Step,
        responses: impl IntoIterator<Item = &'a Response>,
        variables: &Variables,
    ) {
        let observations = responses.into_iter().map(|response| Observation::new(step, response));
        self.record_observations(step, observations, variables);
    }

    /// Remembers a run whose responses were observed already.
    pub fn record_observations(
        &mut self,
        step: Step,
        observations: impl IntoIterator<Item = Observation>,
        variables: &Variables,
    ) {
        let mut responses: Vec<Observation> = Vec::new();
        for (call, observation) in observations.into_iter().enumerate() {
            let mut observation =
                observation.under(step).with_variables(variables.only(&self.names_before(call)));
            let mut earlier = self.runs.iter().filter_map(|run| run.responses.get(call));
            earlier.any(|earlier| observation.share_body_of(earlier));
            responses.push(observation);
        }
        self.runs.push(ObservedRun::new(step, variables.base(), responses));
    }

    /// Remembers that a call was answered with another status before the test brought about itself what decides on it.
    pub fn avoids(&mut self, operation: &OperationId, status: u16, other: u16) {
        let moving = avoided::status(status, other, self.now);
        self.avoided.push(MovingCall { operation: operation.clone(), status, moving });
    }

    /// Lets the last run stand for one under each of these steps; for none, forgets it.
    pub fn relabel_last_run(&mut self, steps: &[Step]) {
        let Some(last) = self.runs.pop() else { return };
        if steps.is_empty() {
            self.forgotten = Some(last.clone());
        }
        self.runs.extend(steps.iter().map(|step| last.under(*step)));
    }

    /// Lets the run that was forgotten last stand for one under each of these steps after all.
    pub fn recall_last_run(&mut self, steps: &[Step]) {
        let Some(forgotten) = self.forgotten.take() else { return };
        self.runs.extend(steps.iter().map(|step| forgotten.under(*step)));
    }

    /// What each call sent as JSON, with what the first run was answered.
    pub(super) fn echoes(&self) -> impl Iterator<Item = (&Value, &Value)> {
        let responses = self.runs.first().map(|run| run.responses.as_slice()).unwrap_or_default();
        self.test.calls.iter().zip(responses).filter_map(|(call, observation)| {
            let Some(Body::Json { value, .. }) = &call.request.body else { return None };
            let Document::Json(answer) = observation.document() else { return None };
            Some((value, answer))
        })
    }

    /// Remembers the first run as it may well be another time: `change` says whether it changed an answer.
    pub(super) fn infers(&mut self, change: impl Fn(&mut Value) -> bool) {
        let Some(first) = self.runs.first() else { return };
        let mut is_other = false;
        let inferred = |observation: &Observation| {
            let mut inferred = observation.under(Step::Inferred);
            if let Document::Json(value) = observation.document() {
                let mut value = value.clone();
                if change(&mut value) {
                    is_other = true;
                    let body = Payload::Text(value.to_string().into());
                    let response = Response { body, ..observation.response.clone() };
                    inferred = Observation::new(Step::Inferred, &response)
                        .with_variables(observation.variables.clone());
                }
            }
            inferred
        };
        let responses: Vec<Observation> = first.responses.iter().map(inferred).collect();
        let base = first.base.clone();
        if is_other {
            self.runs.push(ObservedRun::new(Step::Inferred, base.as_ref(), responses));
        }
    }

    /// How often it was run.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    /// Whether every run got to the last call with the statuses of the first.
    pub fn is_grounded(&self, step: Step) -> bool {
        let status = |observation: &Observation| observation.response.status;
        let statuses = |run: &ObservedRun| run.responses.iter().map(status).collect::<Vec<_>>();
        let Some(first) = self.runs.first().map(statuses) else { return true };
        self.runs.iter().filter(|run| run.step == step).all(|run| statuses(run) == first)
    }

    /// The test with its assertions handled, and what is not the same every time.
    pub fn handled(&self, policy: Policy, described: &dyn Described) -> (TestCase, Vec<MovingCall>) {
        let mut test = self.test.clone();
        let mut moving = Vec::new();
        let address = self.address();
        if let Some(address) = &address {
            address.substitution().test(&mut test);
        }
        for (index, call) in test.calls.iter_mut().enumerate() {
            moving.extend(self.handle_call(index, call, address.as_ref(), policy, described));
        }
        // What still moves is reported with its own evidence.
        let is_reported =
            |avoided: &&MovingCall| moving.iter().any(|reported: &MovingCall| reported.is_about(avoided));
        let unreported: Vec<MovingCall> =
            self.avoided.iter().filter(|avoided| !is_reported(avoided)).cloned().collect();
        moving.extend(unreported);
        (test, moving)
    }

    /// The API's own address, where every run says it and no answer has what would be taken for it.
    fn address(&self) -> Option<Address> {
        let is_clear = |run: &ObservedRun| run.base.is_some() && !run.is_ambiguous;
        let base = self.runs.first()?.base.as_ref()?;
        self.runs.iter().all(is_clear).then(|| Address::new(base))
    }

    fn handle_call(
        &self,
        index: usize,
        call: &mut Call,
        address: Option<&Address>,
        policy: Policy,
        described: &dyn Described,
    ) -> Vec<MovingCall> {
        let seen: Vec<&Observation> =
            self.runs.iter().filter_map(|run| run.response(index, address.is_some())).collect();
        if address.is_some() {
            address::hide(&mut call.expect);
        }
        let Some(first) = seen.first() else {
            address::show(&mut call.expect);
            return Vec::new();
        };
        let fresh: Vec<&str> = self.test.fresh.iter().map(|fresh| fresh.name.as_str()).collect();
        let schema = described.schema(&call.operation, &first.response);
        let borrowed = self.borrowed.contains(&index) && !self.had_fresh_start();
        let subject =
            Subject { call, seen: &seen, schema, now: self.now, own: &self.own, borrowed, fresh: &fresh };
        let mut handled = handle(&call.expect, &subject, policy);
        let (operation, status) = (call.operation.clone(), first.response.status);
        if let Some(address) = address {
            address::show(&mut handled.expect);
            let observed = handled.moving.iter_mut().flat_map(|moving| &mut moving.observed);
            observed.for_each(|value| *value = address.shown_in(value));
        }
        call.expect = handled.expect;
        let of_call = |moving| MovingCall { operation: operation.clone(), status, moving };
        handled.moving.into_iter().map(of_call).collect()
    }

    /// The variables that are set when a call's answer is looked at.
    fn names_before(&self, index: usize) -> Vec<&str> {
        let fresh = self.test.fresh.iter().map(|fresh| fresh.name.as_str());
        let captures = self.test.calls.iter().take(index + 1).flat_map(|call| &call.captures);
        fresh.chain(captures.map(|capture| capture.name.as_str())).collect()
    }
}
