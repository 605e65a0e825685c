//! A test and everything that was seen of it.

use std::sync::{Arc, LazyLock};

use jiff::Timestamp;
use serde_json::Value;
use steady_model::rerun::Perturbation;
use steady_model::{Body, Call, Document, OperationId, Payload, Response, TestCase};
use steady_suite::Variables;

use super::address::{self, Address};
use super::{Moving, Policy, Schema, Seen, Subject, avoided, handle};
use crate::classify::Step;
use crate::infer::Fact;

/// The largest body that is kept; what is larger is not asserted.
const MAX_BODY: usize = 64 * 1024;
/// What is kept of such a body: no text, and not nothing.
static UNASSERTED: LazyLock<Payload> = LazyLock::new(|| Payload::Bytes(vec![0xff]));

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
    /// One per call that was answered, in order.
    answers: Vec<Answer>,
    variables: Variables,
}

/// A response whose body is shared with the runs that saw the same.
#[derive(Debug, Clone)]
struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Arc<Payload>,
    truncated: bool,
}

impl Answer {
    fn response(&self) -> Response {
        Response {
            status: self.status,
            headers: self.headers.clone(),
            body: Payload::clone(&self.body),
            truncated: self.truncated,
        }
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
    fn was_started_anew(&self) -> bool {
        let anew = |step: Step| match step {
            Step::Reset | Step::Restart => true,
            Step::Perturbed(what) => what != Perturbation::Order,
            Step::Rerun | Step::Inferred => false,
        };
        self.runs.iter().any(|run| anew(run.step))
    }

    /// Remembers a run.
    pub fn record_run<'a>(
        &mut self,
        step: Step,
        responses: impl IntoIterator<Item = &'a Response>,
        variables: &Variables,
    ) {
        let answers = responses.into_iter().enumerate().map(|(index, response)| self.kept(index, response));
        let answers = answers.collect();
        self.runs.push(ObservedRun { step, answers, variables: variables.clone() });
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
        self.runs.extend(steps.iter().map(|step| ObservedRun { step: *step, ..last.clone() }));
    }

    /// Lets the run that was forgotten last stand for one under each of these steps after all.
    pub fn recall_last_run(&mut self, steps: &[Step]) {
        let Some(forgotten) = self.forgotten.take() else { return };
        self.runs.extend(steps.iter().map(|step| ObservedRun { step: *step, ..forgotten.clone() }));
    }

    /// What each call sent as JSON, with what the first run was answered.
    pub(super) fn echoes(&self) -> impl Iterator<Item = (&Value, Value)> {
        let answers = self.runs.first().map(|run| run.answers.as_slice()).unwrap_or_default();
        self.test.calls.iter().zip(answers).filter_map(|(call, answer)| {
            let Some(Body::Json { value, .. }) = &call.request.body else { return None };
            let Document::Json(answer) = answer.response().document() else { return None };
            Some((value, answer))
        })
    }

    /// Remembers the first run as it may well be another time: `change` says whether it changed an answer.
    pub(super) fn infers(&mut self, change: impl Fn(&mut Value) -> bool) {
        let Some(first) = self.runs.first() else { return };
        let mut inferred = ObservedRun { step: Step::Inferred, ..first.clone() };
        let mut is_other = false;
        for answer in &mut inferred.answers {
            if let Document::Json(mut value) = answer.response().document()
                && change(&mut value)
            {
                answer.body = Arc::new(Payload::Text(value.to_string()));
                is_other = true;
            }
        }
        self.runs.extend(is_other.then_some(inferred));
    }

    /// How often it was run.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    /// Whether every run got to the last call with the statuses of the first.
    pub fn is_grounded(&self, step: Step) -> bool {
        let statuses = |run: &ObservedRun| run.answers.iter().map(|answer| answer.status).collect::<Vec<_>>();
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
        // What still moves is told as that.
        let is_told = |avoided: &&MovingCall| moving.iter().any(|told: &MovingCall| told.is_about(avoided));
        let untold: Vec<MovingCall> =
            self.avoided.iter().filter(|avoided| !is_told(avoided)).cloned().collect();
        moving.extend(untold);
        (test, moving)
    }

    /// The API's own address, where every run says it and no answer has what would be taken for it.
    fn address(&self) -> Option<Address> {
        let is_clear = |run: &ObservedRun| {
            run.variables.base().is_some()
                && !run.answers.iter().any(|answer| address::is_ambiguous(&answer.response()))
        };
        let base = self.runs.first()?.variables.base()?;
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
        let known = self.names_before(index);
        let runs: Vec<(Step, Response, Document, Variables)> = self
            .runs
            .iter()
            .filter_map(|run| {
                let mut response = run.answers.get(index)?.response();
                let mut variables = run.variables.only(&known);
                // Each run by its own address: the next start of the API may have another.
                if let (Some(address), Some(base)) = (address, run.variables.base()) {
                    let own = address.or_of(base);
                    response = own.hidden_in(&response);
                    variables = own.hidden_from(variables);
                }
                let document = response.document();
                Some((run.step, response, document, variables))
            })
            .collect();
        if address.is_some() {
            address::hide(&mut call.expect);
        }
        let seen: Vec<Seen<'_>> = runs
            .iter()
            .map(|(step, response, document, variables)| Seen {
                step: *step,
                response,
                document,
                variables,
                processes: &[],
                clock: None,
            })
            .collect();
        let Some(first) = seen.first() else {
            address::show(&mut call.expect);
            return Vec::new();
        };
        let fresh: Vec<&str> = self.test.fresh.iter().map(|fresh| fresh.name.as_str()).collect();
        let schema = described.schema(&call.operation, first.response);
        let borrowed = self.borrowed.contains(&index) && !self.was_started_anew();
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

    /// The response without a body too large to assert, or cut at the limit.
    fn kept(&self, index: usize, response: &Response) -> Answer {
        let mut bodies = self.runs.iter().filter_map(|run| run.answers.get(index)).map(|answer| &answer.body);
        let is_unasserted = response.truncated || response.body.as_bytes().len() > MAX_BODY;
        let body = if is_unasserted { &UNASSERTED } else { &response.body };
        let body = bodies.find(|known| ***known == *body).cloned().unwrap_or_else(|| Arc::new(body.clone()));
        Answer {
            status: response.status,
            headers: response.headers.clone(),
            body,
            truncated: response.truncated,
        }
    }
}
