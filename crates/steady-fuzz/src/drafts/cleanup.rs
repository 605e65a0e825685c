//! Puts the deletion of what a test created after it.

use steady_model::{Document, Method, Response};

use super::draft::Draft;
use crate::endpoint_id::EndpointId;
use crate::engine::Engine;
use crate::execution::{Executed, Execution};
use crate::names::Name;
use crate::plan::{Binding, Intent, Plan, PlannedCall, Supply};
use crate::request::Slot;
use crate::resources::{LEAST_ABSENT_ID, collection_noun, own_id, shape_of};

/// The plan with a DELETE per thing that its last run created and did not delete; `None` when there is nothing to put away.
pub fn with_cleanup(engine: &Engine, draft: &Draft, last: &Execution) -> Option<Plan> {
    let mut plan = draft.plan.clone();
    let model = engine.model();
    // What was created last goes first: children before parents.
    for index in (0..draft.length).rev() {
        let planned = draft.plan.calls[index].clone();
        let id = &model.catalog[planned.endpoint].operation.id;
        let Some(done) = last.calls.get(index).filter(|call| call.succeeded()) else { continue };
        if deleted_later(engine, draft, index) {
            continue;
        }
        let path = match id.method {
            Method::Post if may_have_been_there(&planned, &id.path, done) => continue,
            Method::Post => format!("{}/{{}}", shape_of(&id.path)),
            // A PUT on a thing that was there created nothing.
            Method::Put
                if planned.bindings.iter().any(|binding| {
                    matches!(binding.supply, Supply::Fresh(_)) && matches!(binding.slot, Slot::Parameter(_))
                }) =>
            {
                shape_of(&id.path)
            }
            _ => continue,
        };
        let deleter = model.resources.deleter(&path).filter(|deleter| model.guard.closed(*deleter).is_none());
        if let Some(call) = deleter.and_then(|deleter| deletion(engine, &planned, index, deleter)) {
            plan.calls.push(call);
        }
    }
    (plan.calls.len() > draft.plan.calls.len()).then_some(plan)
}

/// Whether a POST chose an id that another thing may have had: it may have changed that thing, which is not the test's to delete.
fn may_have_been_there(planned: &PlannedCall, path: &str, done: &Executed) -> bool {
    let sent = planned.arguments.body.as_ref().map(|body| &body.value);
    let Some((sent, name)) = sent.and_then(|sent| Some((sent, own_id(path, sent)?))) else { return false };
    let Ok(Document::Json(answer)) = done.outcome.as_ref().map(Response::document) else { return false };
    sent[&name].as_u64().is_some_and(|id| id < LEAST_ABSENT_ID) && answer[&name] == sent[&name]
}

fn deleted_later(engine: &Engine, draft: &Draft, index: usize) -> bool {
    draft.plan.calls[index + 1..draft.length].iter().any(|call| {
        let id = &engine.model().catalog[call.endpoint].operation.id;
        id.method == Method::Delete
    })
}

fn deletion(
    engine: &Engine,
    creation: &PlannedCall,
    index: usize,
    deleter: EndpointId,
) -> Option<PlannedCall> {
    let catalog = &engine.model().catalog;
    let (creator, target) = (&catalog[creation.endpoint], &catalog[deleter]);
    let sources: Vec<usize> = creator.path_parameters().collect();
    let targets: Vec<usize> = target.path_parameters().collect();
    let mut call = PlannedCall {
        endpoint: deleter,
        identity: creation.identity,
        arguments: crate::request::Arguments {
            parameters: vec![None; target.operation.parameters.len()],
            body: None,
            headers: Vec::new(),
        },
        bindings: Vec::new(),
        intent: Intent::Explore,
        borrowed: 0,
    };
    for (position, parameter) in targets.into_iter().enumerate() {
        let slot = Slot::Parameter(parameter);
        match sources.get(position) {
            Some(source) => {
                call.arguments.parameters[parameter] =
                    creation.arguments.parameters.get(*source).cloned().flatten();
                let bound = creation.bindings.iter().find(|binding| binding.slot == Slot::Parameter(*source));
                call.bindings.extend(bound.map(|bound| Binding { slot, supply: bound.supply.clone() }));
            }
            None => {
                let name = Name::new(&target.operation.parameters[parameter].name);
                let noun = collection_noun(&creator.operation.id.path);
                call.arguments.parameters[parameter] = Some(serde_json::Value::Null);
                call.bindings.push(Binding { slot, supply: Supply::Find { call: index, name, noun } });
            }
        }
    }
    // A DELETE with made-up parameters may delete something else.
    let unbound = target.operation.parameters.iter().enumerate().any(|(parameter, spec)| {
        spec.required
            && call.arguments.parameters[parameter].is_none()
            && !call.bindings.iter().any(|binding| binding.slot == Slot::Parameter(parameter))
    });
    (!unbound).then_some(call)
}
