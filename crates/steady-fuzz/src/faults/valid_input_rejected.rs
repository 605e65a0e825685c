//! F955: input the document allows was refused.

use serde_json::Value;
use steady_model::FaultCode;

use super::{CallContext, DetectedFault};
use crate::plan::{Intent, PlannedCall};
use crate::values::{PROMISED, take};

/// One fault per operation. A call with one value at a limit the document states or leaves open was refused with 400 or 422, and
/// the same call with a common value there worked right afterwards: so the value was what displeased. Where a call can change
/// something, the common value is sent twice: an API that refuses the second in the same way may only want every value once.
pub fn check(context: &CallContext<'_>) -> Option<DetectedFault> {
    let (plan, calls) = (&context.execution.plan.calls, &context.execution.calls);
    let controls = context.execution.plan.controls(context.index);
    let edge_call = context.index.checked_sub(controls)?;
    let (refused, accepted) = (plan.get(edge_call)?, plan.get(edge_call + 1)?);
    let Intent::Edge { parameter, edge } = &refused.intent else { return None };
    let status = calls[edge_call].status().filter(|status| matches!(status, 400 | 422))?;
    let wanted = if context.endpoint().operation.id.method.is_safe() { 1 } else { 2 };
    let wants_every_value_once = controls > 1 && context.executed().status() == Some(status);
    let conclusive = controls == wanted && calls.get(edge_call + 1)?.succeeded() && !wants_every_value_once;
    if !conclusive || !PROMISED.contains(&edge.what) || !differ_only_there(refused, accepted) {
        return None;
    }
    let place = match parameter {
        Some(index) => format!("parameter `{}`", context.endpoint().operation.parameters.get(*index)?.name),
        None => format!("`{}` in the body", edge.pointer),
    };
    let summary = format!("{place} is valid by the document ({}), but the answer is {status}", edge.what);
    Some(DetectedFault::new(FaultCode::ValidInputRejected, "", summary).of_calls_before(controls))
}

/// Whether two calls are the same but for the place the first one alters.
fn differ_only_there(refused: &PlannedCall, accepted: &PlannedCall) -> bool {
    let Intent::Edge { parameter, edge } = &refused.intent else { return false };
    let (mut left, mut right) = (refused.arguments.clone(), accepted.arguments.clone());
    match parameter {
        Some(index) => {
            for arguments in [&mut left, &mut right] {
                if let Some(value) = arguments.parameters.get_mut(*index) {
                    *value = None;
                }
            }
        }
        None => {
            for arguments in [&mut left, &mut right] {
                let body = arguments.body.as_mut().map(|body| &mut body.value);
                body.and_then(|body: &mut Value| take(body, &edge.pointer));
            }
        }
    }
    refused.endpoint == accepted.endpoint && refused.identity == accepted.identity && left == right
}
