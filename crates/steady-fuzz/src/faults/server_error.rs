//! F100: the API answered 5xx.

use steady_model::FaultCode;

use super::normalize::{message_of, normalize, without_request_data};
use super::{CallContext, DetectedFault};

/// One fault per operation and message. 501 is a proper answer to a method that the document does not describe (RFC 9110 section 9.1).
pub fn check(context: &CallContext<'_>) -> Option<DetectedFault> {
    let response = context.response().filter(|response| response.status >= 500)?;
    if response.status == 501 && context.is_probe() {
        return None;
    }
    let message = message_of(context.document());
    let general = without_request_data(&message, &context.executed().request);
    let distinction = format!("{} {}", response.status, normalize(&general));
    Some(DetectedFault::new(FaultCode::ServerError, &distinction, message))
}
