//! F900: what was deleted is still there.

use steady_model::FaultCode;

use super::{CallContext, DetectedFault};
use crate::plan::Intent;

/// A successful DELETE of one thing, then the same thing read with success. 202 promises nothing yet, so it does not count;
/// nor does a collection, which is still there when it is empty.
pub fn check(context: &CallContext<'_>) -> Option<DetectedFault> {
    let one_thing = context.endpoint().operation.id.path.ends_with('}');
    if context.planned().intent != Intent::AfterDelete || !one_thing || !context.executed().succeeded() {
        return None;
    }
    let deletion = context.index.checked_sub(1).map(|before| &context.execution.calls[before])?;
    let status = deletion.status().filter(|status| matches!(status, 200 | 204))?;
    let read = context.executed().status()?;
    let summary = format!("DELETE answered {status}, but GET of the same still answers {read}");
    Some(DetectedFault::new(FaultCode::DeleteDoesNotDelete, "", summary).of_call_before())
}
