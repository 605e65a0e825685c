//! The tests worth keeping so far: for every goal, the shortest one that reached it on its own.

use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use steady_model::FaultCode;

use crate::cover::{Offer, greedy};
use crate::endpoint_id::EndpointId;
use crate::execution::Execution;
use crate::goals::Goal;
use crate::observed_run::ObservedRun;
use crate::plan::Plan;

/// Fingerprints remembered before the memory starts over.
const MAX_FINGERPRINTS: usize = 200_000;
/// Calls that a test may take more to be independent of what happens to be there.
const BORROWED: usize = 5;

/// A test that reached a goal with its last call.
#[derive(Debug)]
pub struct Candidate {
    /// How to do it again.
    pub plan: Plan,
    /// What was seen then; `None` when a call went unanswered.
    pub run: Option<ObservedRun>,
    /// Everything its last call reached.
    pub goals: Vec<Goal>,
    cost: usize,
}

/// Goals and the tests that reach them.
#[derive(Debug, Default)]
pub struct Archive {
    entries: IndexMap<Goal, Rc<Candidate>>,
    fingerprints: IndexMap<u64, usize>,
    offered: usize,
}

impl Archive {
    /// Whether calls like this one were seen before, in a test that cost no more than this one.
    pub fn is_familiar(&mut self, fingerprint: u64, cost: usize) -> bool {
        if self.fingerprints.len() >= MAX_FINGERPRINTS {
            self.fingerprints.clear();
        }
        let least = self.fingerprints.entry(fingerprint).or_insert(usize::MAX);
        let familiar = *least <= cost;
        *least = (*least).min(cost);
        familiar
    }

    /// Whether a goal was reached.
    pub fn has(&self, goal: &Goal) -> bool {
        self.entries.contains_key(goal)
    }

    /// Keeps what an execution reached with its call `last`; says which goals are new.
    pub fn offer(&mut self, goals: Vec<Goal>, execution: &Execution, last: usize) -> Vec<Goal> {
        let cost = cost(execution, last);
        let cheaper = |known: Option<&Rc<Candidate>>| known.is_none_or(|known| known.cost > cost);
        let wanted: Vec<Goal> =
            goals.iter().filter(|goal| cheaper(self.entries.get(*goal))).cloned().collect();
        if wanted.is_empty() {
            return wanted;
        }
        let run = ObservedRun::of(execution, last + 1);
        self.offered += 1;
        let candidate = Rc::new(Candidate { plan: execution.plan.prefix(last), run, goals, cost });
        wanted
            .into_iter()
            .filter(|goal| self.entries.insert(goal.clone(), Rc::clone(&candidate)).is_none())
            .collect()
    }

    /// How many tests it takes to reach every goal, at most.
    pub fn tests(&self) -> usize {
        self.offered.min(self.entries.len())
    }

    /// How many goals were reached.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing was reached yet.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// A small set of tests that together reach every goal, each with the goals it adds.
    pub fn cover(&self) -> Vec<(Rc<Candidate>, Vec<Goal>)> {
        let mut candidates: IndexMap<*const Candidate, &Rc<Candidate>> = IndexMap::new();
        for candidate in self.entries.values() {
            candidates.entry(Rc::as_ptr(candidate)).or_insert(candidate);
        }
        let offers: Vec<Offer<'_, Goal>> = candidates
            .values()
            .map(|candidate| Offer { goals: &candidate.goals, cost: candidate.cost })
            .collect();
        greedy(&offers)
            .into_iter()
            .map(|(index, goals)| (Rc::clone(candidates[index]), goals.into_iter().cloned().collect()))
            .collect()
    }

    /// The same tests, the most valuable first: one success of every operation, one fault of every kind, what else is behaviour of its
    /// own, and refusals at last.
    pub fn by_priority(&self) -> Vec<(Rc<Candidate>, Vec<Goal>)> {
        let mut tests = self.cover();
        let mut succeeded: IndexSet<EndpointId> = IndexSet::new();
        let mut faulty: IndexSet<(EndpointId, FaultCode)> = IndexSet::new();
        tests.sort_by_cached_key(|(candidate, goals)| {
            let new_fault = goals.iter().any(|goal| match goal {
                Goal::Fault { endpoint, code, .. } => faulty.insert((*endpoint, *code)),
                _ => false,
            });
            let last = candidate.plan.calls.last().map(|call| call.endpoint);
            match candidate.status() {
                Some(200..300) if last.is_some_and(|endpoint| succeeded.insert(endpoint)) => {
                    Priority::Success
                }
                _ if new_fault => Priority::Fault,
                Some(400 | 401 | 403 | 404 | 405 | 406 | 415 | 422) => Priority::Refusal,
                _ => Priority::Behaviour,
            }
        });
        tests
    }
}

/// What makes a test worth checking, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Priority {
    /// The first success of an operation.
    Success,
    /// The first fault of its kind at an operation.
    Fault,
    /// Something else that is not a plain refusal.
    Behaviour,
    /// Input that was refused.
    Refusal,
}

impl Candidate {
    /// The status its last call was answered with.
    fn status(&self) -> Option<u16> {
        Some(self.run.as_ref()?.responses.last()?.response.status)
    }
}

/// What a test costs its readers: its calls, and dearly each success or conflict that rests on something the test did not create.
pub fn cost(execution: &Execution, last: usize) -> usize {
    let calls = execution.calls[..=last].iter().zip(&execution.plan.calls);
    calls
        .map(|(executed, planned)| {
            let rests = executed.succeeded() || executed.status() == Some(409);
            1 + if rests { planned.borrowed * BORROWED } else { 0 }
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use steady_model::{Method, Payload, Response, Secrets};

    use super::*;
    use crate::api_model::ApiModel;
    use crate::plan::{Intent, PlannedCall};
    use crate::random::Random;
    use crate::request::Arguments;

    /// A run of one call that is answered with this status.
    fn run(model: &ApiModel, endpoint: EndpointId, status: u16) -> Execution {
        let call = PlannedCall {
            endpoint,
            identity: None,
            arguments: Arguments { parameters: Vec::new(), body: None, headers: Vec::new() },
            bindings: Vec::new(),
            intent: Intent::Explore,
            borrowed: 0,
        };
        let plan = Plan { calls: vec![call], fresh: Vec::new() };
        let mut execution = Execution::new(plan, &mut Random::new(1, 1));
        assert!(execution.next(model, &Secrets::default()).is_some());
        let body = Payload::default();
        execution.answer(Ok(Response { status, headers: Vec::new(), body, truncated: false }));
        execution
    }

    #[test]
    fn what_is_checked_first_is_one_success_and_one_fault_of_every_operation() {
        let document = r#"{"openapi": "3.0.3", "info": {"title": "t", "version": "1"},
            "paths": {"/a": {"get": {}}, "/b": {"get": {}}}}"#;
        let api = steady_openapi::parse(document, "t").unwrap();
        let model = ApiModel::new(api, String::new(), &[], Vec::new(), Vec::new(), |_| true);
        let [a, b] = ["/a", "/b"].map(|path| model.catalog.on(Method::Get, path).unwrap());
        let fault = |endpoint, key| Goal::Fault { endpoint, code: FaultCode::ServerError, key };
        let mut archive = Archive::default();
        // The worst first: the order of discovery must not be that of the check.
        for (endpoint, status, goal) in [
            (a, 404, Goal::Status { endpoint: a, status: 404 }),
            (a, 302, Goal::Status { endpoint: a, status: 302 }),
            (a, 500, fault(a, 1)),
            (a, 500, fault(a, 2)),
            (a, 200, Goal::Status { endpoint: a, status: 200 }),
            (a, 201, Goal::Status { endpoint: a, status: 201 }),
            (b, 200, Goal::Status { endpoint: b, status: 200 }),
        ] {
            archive.offer(vec![goal], &run(&model, endpoint, status), 0);
        }
        let order: Vec<(Goal, Option<u16>)> = archive
            .by_priority()
            .into_iter()
            .map(|(candidate, goals)| (goals[0].clone(), candidate.status()))
            .collect();
        let expected = [
            (Goal::Status { endpoint: a, status: 200 }, Some(200)),
            (Goal::Status { endpoint: b, status: 200 }, Some(200)),
            (fault(a, 1), Some(500)),
            (Goal::Status { endpoint: a, status: 302 }, Some(302)),
            (fault(a, 2), Some(500)),
            (Goal::Status { endpoint: a, status: 201 }, Some(201)),
            (Goal::Status { endpoint: a, status: 404 }, Some(404)),
        ];
        assert_eq!(order, expected);
    }
}
