//! F950: 405 without the header that says what is allowed.

use steady_model::FaultCode;

use super::{CallContext, DetectedFault};

/// RFC 9110 section 15.5.6: the origin server MUST generate an Allow header field. Once per path, whatever method was refused.
pub fn check(context: &CallContext<'_>) -> Option<DetectedFault> {
    let response = context.response().filter(|response| response.status == 405)?;
    if response.header("allow").is_some() || !context.speaks_for_its_path() {
        return None;
    }
    Some(DetectedFault::new(FaultCode::MissingAllow, "", "405 without an Allow header".to_owned()))
}
