//! F210: a method the document does not describe was answered with 2xx.

use steady_model::{FaultCode, Method};

use super::{CallContext, DetectedFault};

/// What answers is part of the API whether it is described or not. A page for people is not: many servers show one for any GET.
pub fn check(context: &CallContext<'_>) -> Option<DetectedFault> {
    let response = context.response().filter(|response| (200..300).contains(&response.status))?;
    let method = context.endpoint().operation.id.method;
    let page = method == Method::Get && response.media_type().is_some_and(|media| media == "text/html");
    if !context.is_probe() || page {
        return None;
    }
    let summary = format!("{method} is not in the document, but the answer is {}", response.status);
    Some(DetectedFault::new(FaultCode::HiddenMethod, "", summary))
}
