//! F953: no answer, or none that is HTTP.

use steady_model::FaultCode;

use super::normalize::normalize;
use super::{Scene, Sighting};

/// One fault per operation and way of failing.
pub fn check(scene: &Scene<'_>) -> Option<Sighting> {
    let reason = scene.executed().outcome.as_ref().err()?;
    Some(Sighting::new(FaultCode::BrokenResponse, &normalize(reason), reason.clone()))
}
