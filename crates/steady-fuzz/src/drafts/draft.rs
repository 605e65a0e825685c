//! A test on its way into the suite.

use std::collections::BTreeSet;

use serde_json::Value;
use steady_model::{Call, FaultCode, Group, Method, TestCase};

use super::assertions::assertions;
use super::status_change::StatusChange;
use crate::api_model::ApiModel;
use crate::endpoint_id::EndpointId;
use crate::engine::Engine;
use crate::execution::Execution;
use crate::goals::Goal;
use crate::observed_run::ObservedRun;
use crate::plan::{Plan, PlannedCall, Supply};
use crate::request::Slot;
use crate::resources::LEAST_ABSENT_ID;

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
    pub runs: Vec<ObservedRun>,
    /// Calls that were answered with another status before the test created what it depends on.
    pub status_changes: Vec<StatusChange>,
}

impl Draft {
    /// Whether a run shows what the test is for.
    pub fn holds(&self, engine: &Engine, execution: &Execution) -> bool {
        let last = self.length - 1;
        let Some(call) = execution.calls.get(last) else { return false };
        call.status() == Some(self.status)
            && self.goals.iter().all(|goal| engine.shows(execution, last, goal))
    }

    /// The calls that read something which a list showed: not the test's own, where calls to the API change what lists hold.
    pub fn borrowed(&self, model: &ApiModel) -> Vec<usize> {
        let catalog = &model.catalog;
        let method = |call: &PlannedCall| catalog[call.endpoint].operation.id.method;
        if catalog.described().all(|(_, endpoint)| endpoint.operation.id.method.is_safe()) {
            return Vec::new();
        }
        let mut borrowed: BTreeSet<usize> = BTreeSet::new();
        for (index, call) in self.plan.calls[..self.length].iter().enumerate() {
            let path: Vec<usize> = catalog[call.endpoint].path_parameters().collect();
            for binding in &call.bindings {
                let Some(source) = binding.supply.source() else { continue };
                // What is read below something of the test's own is its own, too.
                let is_own = self.plan.calls[source].bindings.iter().any(|binding| match &binding.supply {
                    Supply::Fresh(_) => true,
                    supply => supply.source().is_some_and(|first| !borrowed.contains(&first)),
                });
                if !method(&self.plan.calls[source]).is_safe() || is_own {
                    continue;
                }
                borrowed.insert(source);
                let in_path = matches!(&binding.slot, Slot::Parameter(parameter) if path.contains(parameter));
                if in_path && method(call).is_safe() {
                    borrowed.insert(index);
                }
            }
        }
        borrowed.into_iter().collect()
    }

    /// Whether it deletes something that it did not create: it took the id from a list, or made up one that may exist.
    ///
    /// No later run finds that thing again, and a test must not delete what is not its own.
    pub fn deletes_what_others_made(&self, model: &ApiModel, run: &Execution) -> bool {
        let catalog = &model.catalog;
        let method = |call: &PlannedCall| catalog[call.endpoint].operation.id.method;
        let is_theirs = |call: &PlannedCall, parameter: usize| {
            let bound = call.bindings.iter().find(|binding| binding.slot == Slot::Parameter(parameter));
            match bound.map(|binding| &binding.supply) {
                Some(Supply::Fresh(_)) => false,
                Some(supply) if supply.source().is_some() => {
                    supply.source().is_some_and(|source| method(&self.plan.calls[source]).is_safe())
                }
                Some(Supply::Literal(value)) => may_exist(Some(value)),
                _ => may_exist(call.arguments.parameters.get(parameter).and_then(Option::as_ref)),
            }
        };
        let calls = self.plan.calls[..self.length].iter().zip(&run.calls);
        let mut deletions = calls.filter(|(call, done)| method(call) == Method::Delete && done.succeeded());
        deletions.any(|(call, _)| {
            catalog[call.endpoint].path_parameters().any(|parameter| is_theirs(call, parameter))
        })
    }

    /// The faults it shows.
    pub fn faults(&self) -> impl Iterator<Item = (EndpointId, FaultCode, u64)> {
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

/// Whether a made-up id may be that of a thing: a small number.
fn may_exist(id: Option<&Value>) -> bool {
    id.and_then(Value::as_u64).is_some_and(|id| id < LEAST_ABSENT_ID)
}

/// Writes a draft as a test, asserting everything its first run saw. `None` for a draft that was never run.
///
/// `title` is the test's name and the line that says why it is there.
pub fn write_test(engine: &Engine, draft: &Draft, title: &(String, String)) -> Option<TestCase> {
    let model = engine.model();
    // A run in the search had no clean-up yet; the calls before it are the same in all runs.
    let (first, last) = (draft.runs.first()?, draft.runs.last()?);
    let mut calls = last.calls.clone();
    let is_elsewhere = |text: &str| engine.traces().is_written_elsewhere(text, &last.calls);
    for (call, observation) in calls.iter_mut().zip(&first.responses).take(draft.length) {
        let shared = reads_shared_list(model, call);
        call.expect = assertions(&call.operation.method, observation, shared, &is_elsewhere);
    }
    let cleanup = calls.split_off(draft.length.min(calls.len()));
    let (name, about) = title.clone();
    let used = |name: &str| calls.iter().chain(&cleanup).any(|call| uses(call, name));
    let fresh = draft.plan.fresh.iter().filter(|fresh| used(&fresh.name)).cloned().collect();
    let covers = draft.goals.iter().map(|goal| goal.line(&model.catalog)).collect();
    Some(TestCase { name, group: draft.group(), about, covers, fresh, calls, cleanup })
}

/// Whether a call reads lists that other calls can add to or take from, and nothing of the test's own narrows it down.
fn reads_shared_list(model: &ApiModel, call: &Call) -> bool {
    let (resources, path) = (&model.resources, &call.operation.path);
    let member = format!("{}/{{}}", path.trim_end_matches('/'));
    let changes =
        resources.is_added_to(path) || resources.deleter(&member).is_some() || resources.is_changed(path);
    call.operation.method == Method::Get && call.request.target.variables().next().is_none() && changes
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
