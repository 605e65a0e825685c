//! F955: input the document allows in so many words was refused.

use serde_json::Value;
use steady_model::FaultCode;

use super::{Scene, Sighting};
use crate::plan::{Intent, PlannedCall};
use crate::values::{PROMISED, take};

/// One fault per operation. A call with one value at a limit the document states was refused with 400 or 422, and the same call
/// with a common value there worked right afterwards: so the value was what displeased.
pub fn check(scene: &Scene<'_>) -> Option<Sighting> {
    if scene.planned().intent != Intent::Control || !scene.executed().succeeded() {
        return None;
    }
    let before = scene.index.checked_sub(1)?;
    let refused = &scene.execution.plan.calls[before];
    let Intent::Edge { parameter, edge } = &refused.intent else { return None };
    let status = scene.execution.calls[before].status().filter(|status| matches!(status, 400 | 422))?;
    if !PROMISED.contains(&edge.what) || !differ_only_there(refused, scene.planned()) {
        return None;
    }
    let place = match parameter {
        Some(index) => format!("parameter `{}`", scene.endpoint().operation.parameters.get(*index)?.name),
        None => format!("`{}` in the body", edge.pointer),
    };
    let summary = format!("{place} is valid by the document ({}), but the answer is {status}", edge.what);
    Some(Sighting::new(FaultCode::ValidInputRejected, "", summary).of_call_before())
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
