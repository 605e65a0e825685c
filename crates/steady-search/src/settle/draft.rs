//! A test on its way into the suite.

use steady_model::{Call, FaultCode, Group, Method, Payload, Response, TestCase};
use steady_replay::Variables;

use super::assertions::assertions;
use super::otherwise::Otherwise;
use crate::engine::Engine;
use crate::execution::Execution;
use crate::goals::Goal;
use crate::plan::Plan;
use crate::terrain::Terrain;

/// The largest body that is kept to be asserted.
const MAX_DOCUMENT: usize = 64 * 1024;

/// A candidate that is being made into a test.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Its place in the suite.
    pub number: usize,
    /// How to do it; calls beyond `length` clean up.
    pub plan: Plan,
    /// How many calls make the test.
    pub length: usize,
    /// What the last of them must show.
    pub goals: Vec<Goal>,
    /// The status the last of them must answer with.
    pub status: u16,
    /// What was seen each time it was run.
    pub runs: Vec<Run>,
    /// What was answered otherwise before the test made up what it depends on.
    pub otherwise: Vec<Otherwise>,
}

/// One run of a draft.
#[derive(Debug, Clone)]
pub struct Run {
    /// The calls, with what they captured.
    pub calls: Vec<Call>,
    /// The responses, one per call.
    pub responses: Vec<Response>,
    /// The variables at the end.
    pub variables: Variables,
}

impl Run {
    /// What the first calls of an execution saw; `None` when one of them went unanswered.
    pub fn of(execution: &Execution, length: usize) -> Option<Self> {
        let calls = execution.calls.get(..length)?;
        let responses =
            calls.iter().map(|call| call.outcome.as_ref().ok().map(kept)).collect::<Option<Vec<_>>>()?;
        let calls = calls.iter().map(|call| call.call.clone()).collect();
        Some(Self { calls, responses, variables: execution.variables.clone() })
    }
}

/// The response without a body too large to be asserted; what stands in its place is no text, and not nothing.
fn kept(response: &Response) -> Response {
    if response.body.as_bytes().len() <= MAX_DOCUMENT {
        return response.clone();
    }
    let headers = response.headers.clone();
    Response {
        status: response.status,
        headers,
        body: Payload::Bytes(vec![0xff]),
        truncated: response.truncated,
    }
}

impl Draft {
    /// Whether a run shows what the test is for.
    pub fn holds(&self, engine: &Engine, execution: &Execution) -> bool {
        let last = self.length - 1;
        let Some(call) = execution.calls.get(last) else { return false };
        call.status() == Some(self.status)
            && self.goals.iter().all(|goal| engine.shows(execution, last, goal))
    }

    /// The faults it shows.
    pub fn faults(&self) -> impl Iterator<Item = (usize, FaultCode, u64)> {
        self.goals.iter().filter_map(|goal| match goal {
            Goal::Fault { endpoint, code, key } => Some((*endpoint, *code, *key)),
            _ => None,
        })
    }

    /// What it is kept for.
    pub fn group(&self) -> Group {
        if self.faults().next().is_some() {
            Group::Faults
        } else if (200..300).contains(&self.status) {
            Group::Successes
        } else {
            Group::Others
        }
    }
}

/// Writes a draft as a test, asserting everything its first run saw. `None` for a draft that was never run.
///
/// `title` is the test's name and the line that says why it is there.
pub fn write_test(terrain: &Terrain, draft: &Draft, title: &(String, String)) -> Option<TestCase> {
    // A run in the search had no clean-up yet; the calls before it are the same in all runs.
    let (first, last) = (draft.runs.first()?, draft.runs.last()?);
    let mut calls = last.calls.clone();
    for (call, response) in calls.iter_mut().zip(&first.responses).take(draft.length) {
        let shared = reads_shared_list(terrain, call);
        call.expect = assertions(&call.operation.method, response, &response.document(), shared);
    }
    let cleanup = calls.split_off(draft.length.min(calls.len()));
    let (name, about) = title.clone();
    let used = |name: &str| calls.iter().chain(&cleanup).any(|call| uses(call, name));
    let fresh = draft.plan.fresh.iter().filter(|fresh| used(&fresh.name)).cloned().collect();
    let covers = draft.goals.iter().map(|goal| goal.line(&terrain.catalog)).collect();
    Some(TestCase { name, group: draft.group(), about, covers, fresh, calls, cleanup })
}

/// Whether a call reads a collection that others can add to, and nothing of the test's own narrows it down.
fn reads_shared_list(terrain: &Terrain, call: &Call) -> bool {
    call.operation.method == Method::Get
        && call.request.target.variables().next().is_none()
        && terrain.resources.is_added_to(&call.operation.path)
}

fn uses(call: &Call, variable: &str) -> bool {
    use steady_model::Body;
    let in_headers =
        call.request.headers.iter().flat_map(|(_, text)| text.variables()).any(|name| name == variable);
    let in_body = match &call.request.body {
        Some(Body::Json { bind, .. }) => bind.values().any(|name| name == variable),
        Some(Body::Form(fields)) => {
            fields.iter().flat_map(|(_, text)| text.variables()).any(|name| name == variable)
        }
        Some(Body::Text { text, .. }) => text.variables().any(|name| name == variable),
        Some(Body::Multipart(_) | Body::Bytes { .. }) | None => false,
    };
    call.request.target.variables().any(|name| name == variable) || in_headers || in_body
}
