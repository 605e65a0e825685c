//! F955: an operation has refused everything the document allows.

use steady_model::FaultCode;

use super::{CallContext, DetectedFault};

/// How many valid requests must have been refused before it is the operation's fault and not theirs.
const PATIENCE: u32 = 30;

/// One fault per operation. Every request was valid by the document, made as a known identity and about things that exist, and
/// every one was refused with 400 or 422: the document leaves out what it takes.
pub fn check(context: &CallContext<'_>) -> Option<DetectedFault> {
    let status = context.response().map(|response| response.status)?;
    let refused = matches!(status, 400 | 422) && context.stats.refuses_everything(PATIENCE);
    if !refused || !context.is_well_meant() {
        return None;
    }
    let summary = format!(
        "not one of at least {PATIENCE} requests that are valid by the document was accepted; this answer is {status}"
    );
    Some(DetectedFault::new(FaultCode::ValidInputRejected, "never accepted", summary))
}
