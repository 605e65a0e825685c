//! F954: a method the document does not describe was refused, but not for its method.

use steady_model::FaultCode;

use super::{CallContext, DetectedFault};

/// RFC 9110 sections 9.1 and 15.5.6: a known method that the target does not support gets 405. Refusing who asks, denying that
/// there is anything and not knowing the method (501) are as good; complaints about the rest of the request are not.
pub fn check(context: &CallContext<'_>) -> Option<DetectedFault> {
    let status = context.response()?.status;
    if !context.is_probe() || !matches!(status, 400 | 402 | 406 | 409 | 412 | 415 | 422) {
        return None;
    }
    let method = context.endpoint().operation.id.method;
    let summary = format!("{method} is not in the document, but it is refused with {status} in place of 405");
    Some(DetectedFault::new(FaultCode::MethodNotRefused, "", summary))
}
