//! F102: input the document forbids was accepted.

use steady_model::FaultCode;

use super::{CallContext, DetectedFault};
use crate::plan::Intent;

/// One fault per operation, place and broken promise; a parameter is one place, however much is written in it. The input was
/// checked to be invalid before it was sent.
pub fn check(context: &CallContext<'_>) -> Option<DetectedFault> {
    let Intent::Invalid { parameter, violation } = &context.planned().intent else { return None };
    let status = context.response().filter(|response| (200..300).contains(&response.status))?.status;
    let (place, inside) = match parameter {
        Some(parameter) => {
            let name = &context.endpoint().operation.parameters.get(*parameter)?.name;
            let inside = Some(&violation.pointer).filter(|pointer| !pointer.is_empty());
            (format!("parameter `{name}`"), inside.map(|pointer| format!("`{pointer}` in ")))
        }
        None if violation.pointer.is_empty() => ("the body".to_owned(), None),
        None => (format!("`{}` in the body", violation.pointer), None),
    };
    let inside = inside.unwrap_or_default();
    let summary = format!("{inside}{place} is invalid ({}), but the answer is {status}", violation.what);
    Some(DetectedFault::new(FaultCode::InvalidInputAccepted, &format!("{place} {}", violation.what), summary))
}
