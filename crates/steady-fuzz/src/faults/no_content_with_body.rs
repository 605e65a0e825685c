//! F952: a status that promises no content, with content.

use steady_model::FaultCode;

use super::{CallContext, DetectedFault};

/// RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5. A client may not read such content, so the header that announces it counts.
pub fn check(context: &CallContext<'_>) -> Option<DetectedFault> {
    let response = context.response().filter(|response| matches!(response.status, 204 | 205))?;
    let announced =
        response.header("content-length").and_then(|length| length.trim().parse::<u64>().ok()).unwrap_or(0);
    if response.body.is_empty() && announced == 0 {
        return None;
    }
    let summary = format!("{} promises no content, but {announced} bytes are announced", response.status);
    Some(DetectedFault::new(FaultCode::NoContentWithBody, &response.status.to_string(), summary))
}
