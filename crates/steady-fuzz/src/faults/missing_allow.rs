//! F950: 405 without the header that says what is allowed.

use steady_model::FaultCode;

use super::{DetectedFault, Scene};

/// RFC 9110 section 15.5.6: the origin server MUST generate an Allow header field. Once per path, whatever method was refused.
pub fn check(scene: &Scene<'_>) -> Option<DetectedFault> {
    let response = scene.response().filter(|response| response.status == 405)?;
    if response.header("allow").is_some() || !scene.speaks_for_its_path() {
        return None;
    }
    Some(DetectedFault::new(FaultCode::MissingAllow, "", "405 without an Allow header".to_owned()))
}
