//! F951: 401 without a challenge.

use steady_model::FaultCode;

use super::{CallContext, DetectedFault};

/// RFC 9110 section 15.5.2: the server MUST send a WWW-Authenticate header field.
pub fn check(context: &CallContext<'_>) -> Option<DetectedFault> {
    let response = context.response().filter(|response| response.status == 401)?;
    if response.header("www-authenticate").is_some() {
        return None;
    }
    Some(DetectedFault::new(
        FaultCode::MissingWwwAuthenticate,
        "",
        "401 without a WWW-Authenticate header".to_owned(),
    ))
}
