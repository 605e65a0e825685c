//! F102: input the document forbids was accepted.

use steady_model::FaultCode;

use super::{Scene, Sighting};
use crate::plan::Intent;

/// One fault per operation, place and broken promise. The input was checked to be invalid before it was sent.
pub fn check(scene: &Scene<'_>) -> Option<Sighting> {
    let Intent::Invalid { parameter, violation } = &scene.planned().intent else { return None };
    let status = scene.response().filter(|response| (200..300).contains(&response.status))?.status;
    let place = match parameter {
        Some(parameter) => {
            let name = &scene.endpoint().operation.parameters.get(*parameter)?.name;
            match violation.pointer.as_str() {
                "" => format!("parameter `{name}`"),
                pointer => format!("`{pointer}` in parameter `{name}`"),
            }
        }
        None if violation.pointer.is_empty() => "the body".to_owned(),
        None => format!("`{}` in the body", violation.pointer),
    };
    let summary = format!("{place} is invalid ({}), but the answer is {status}", violation.what);
    Some(Sighting::new(FaultCode::InvalidInputAccepted, &format!("{place} {}", violation.what), summary))
}
