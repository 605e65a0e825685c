//! F900: what was deleted is still there.

use steady_model::FaultCode;

use super::{Scene, Sighting};
use crate::plan::Intent;

/// A successful DELETE, then the same thing read with success. 202 promises nothing yet, so it does not count.
pub fn check(scene: &Scene<'_>) -> Option<Sighting> {
    if scene.planned().intent != Intent::AfterDelete || !scene.executed().succeeded() {
        return None;
    }
    let deletion = scene.index.checked_sub(1).map(|before| &scene.execution.calls[before])?;
    let status = deletion.status().filter(|status| matches!(status, 200 | 204))?;
    let read = scene.executed().status()?;
    let summary = format!("DELETE answered {status}, but GET of the same still answers {read}");
    Some(Sighting::new(FaultCode::DeleteDoesNotDelete, "", summary).of_call_before())
}
