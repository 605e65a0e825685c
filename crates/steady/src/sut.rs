//! The API, when it is steady's to start.

use std::path::Path;

use steady_flaky::drive::SutAccess;
use steady_model::rerun::Condition;
use steady_process::Cancel;
use steady_sut::{Sut, SutError, SutSpec};

use crate::error::CommandError;

/// steady's own folder in a project.
pub const STATE: &str = ".steady";

/// Starts the API that `[sut]` describes; nothing when there is none.
pub async fn start(spec: Option<SutSpec>) -> Result<Option<Sut>, CommandError> {
    let Some(spec) = spec else { return Ok(None) };
    let mut sut = Sut::new(spec, Path::new(STATE))?;
    sut.start(&Condition::default()).await?;
    Ok(Some(sut))
}

/// Stops the API. When the user wants the end, it gets less time to end in peace, and how it ended does not matter.
pub async fn stop(sut: &mut Sut, cancel: &Cancel) -> Result<(), SutError> {
    let grace = if cancel.is_requested() { Sut::SHORT_GRACE } else { Sut::GRACE };
    let stopped = sut.stop_within(grace).await;
    if cancel.is_requested() { Ok(()) } else { stopped }
}

/// What may be done with the API.
pub fn access(sut: &mut Option<Sut>) -> SutAccess<'_> {
    sut.as_mut().map_or(SutAccess::External, |sut| SutAccess::Managed(sut))
}
