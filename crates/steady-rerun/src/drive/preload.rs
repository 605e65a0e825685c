//! Surroundings that only the preload shim can change.

use std::path::Path;

use jiff::SignedDuration;
use steady_preload::{Control, ControlError, InstallError, PRELOAD_VARIABLE, Preload, ShiftError};
use steady_process::Spec;

use crate::perturb::Surroundings;

/// The preload shim cannot be put in place.
#[derive(Debug, thiserror::Error)]
pub enum PreloadError {
    /// It cannot be written.
    #[error(transparent)]
    Install(#[from] InstallError),
    /// It cannot be told what to do.
    #[error(transparent)]
    Control(#[from] ControlError),
    /// The clock cannot be so far off.
    #[error(transparent)]
    Shift(#[from] ShiftError),
}

/// The command with the shim in front, and what tells the shim what to change: keep it until the command has ended.
pub fn preloaded(
    mut spec: Spec,
    folder: &Path,
    surroundings: &Surroundings,
) -> Result<(Spec, Control), PreloadError> {
    let preload = Preload::install(folder)?;
    let control = Control::create(folder)?;
    if let Some(seconds) = surroundings.clock_shift {
        control.shift_clock(SignedDuration::from_secs(seconds))?;
    }
    control.seed_random(surroundings.random);
    control.delay_connections(surroundings.latency.unwrap_or_default());
    let inherited = std::env::var_os(PRELOAD_VARIABLE);
    for (name, value) in preload.environment(&control, inherited.as_deref()) {
        spec = spec.set_variable(name, value);
    }
    Ok((spec, control))
}
