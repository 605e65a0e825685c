//! Smaller plans to try in a test's place.

use steady_model::Method;

use super::draft::Draft;
use crate::catalog::Catalog;
use crate::plan::Plan;
use crate::request::Slot;

/// Every plan that is one step smaller: a call fewer, an optional parameter fewer, an optional body property fewer.
///
/// The caller takes the first that still holds and asks again, until none does: delta debugging, one element at a time.
pub fn shorten(draft: &Draft, catalog: &Catalog) -> Vec<Plan> {
    let last = draft.length - 1;
    let planned = &draft.plan.calls[last];
    let operation = &catalog[planned.endpoint].operation;
    // A list that fails over what is in it does not fail while it is empty, as it is after a restart.
    let fills = |call: &usize| {
        let id = &catalog[draft.plan.calls[*call].endpoint].operation.id;
        let within = operation.id.path.strip_prefix(id.path.as_str());
        let looked_into = within.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        draft.status >= 500 && id.method == Method::Post && looked_into
    };
    let removable = (0..last).rev().filter(|call| !fills(call));
    let mut smaller: Vec<Plan> = removable.filter_map(|call| draft.plan.without(call)).collect();
    let mut needed: Vec<usize> = draft.goals.iter().filter_map(crate::goals::Goal::needs_parameter).collect();
    // What is different on purpose is what the test is about: without it the same answer would show nothing.
    let altered = planned.intent.altered();
    needed.extend(altered.and_then(|(parameter, _)| parameter));
    let in_body =
        altered.filter(|(parameter, _)| parameter.is_none()).map(|(_, alteration)| &alteration.pointer);
    // What is wrong with the body as a whole, such as a field too many, may lie in any of its fields.
    let is_altered = |pointer: &str| {
        let below = |altered: &String| {
            altered.strip_prefix(pointer).map(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        in_body.is_some_and(|altered| altered.is_empty() || below(altered).unwrap_or(false))
    };
    for (index, value) in planned.arguments.parameters.iter().enumerate() {
        let required = operation.parameters.get(index).is_none_or(|spec| spec.required);
        if value.is_some() && !required && !needed.contains(&index) {
            let mut plan = draft.plan.clone();
            plan.calls[last].arguments.parameters[index] = None;
            plan.calls[last].bindings.retain(|binding| binding.slot != Slot::Parameter(index));
            smaller.push(plan);
        }
    }
    if let Some(body) = planned.arguments.body.as_ref().filter(|body| body.raw.is_none())
        && let Some(fields) = body.value.as_object()
        && fields.len() > 1
    {
        for name in fields.keys() {
            let pointer = format!("/{}", crate::values::escape(name));
            if is_altered(&pointer) {
                continue;
            }
            let mut plan = draft.plan.clone();
            let call = &mut plan.calls[last];
            if let Some(object) = call.arguments.body.as_mut().and_then(|body| body.value.as_object_mut()) {
                object.shift_remove(name);
            }
            call.bindings
                .retain(|binding| !matches!(&binding.slot, Slot::Body(bound) if bound.starts_with(&pointer)));
            smaller.push(plan);
        }
    }
    smaller
}
