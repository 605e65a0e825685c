//! Overrides that only the preload shim can change.

use std::path::Path;

use jiff::SignedDuration;
use steady_preload::{Control, ControlError, InstallError, PRELOAD_VARIABLE, Preload, ShiftError};
use steady_process::Spec;

use crate::Overrides;

/// The preload shim cannot be put in place.
#[derive(Debug, thiserror::Error)]
pub enum PreloadError {
    /// It cannot be written.
    #[error(transparent)]
    Install(#[from] InstallError),
    /// Its settings cannot be written.
    #[error(transparent)]
    Control(#[from] ControlError),
    /// The clock cannot be shifted that far.
    #[error(transparent)]
    Shift(#[from] ShiftError),
}

/// The command with the shim, and the control of the shim: keep it until the command has ended.
pub(crate) fn preloaded(
    mut spec: Spec,
    folder: &Path,
    overrides: &Overrides,
) -> Result<(Spec, Control), PreloadError> {
    let preload = Preload::install(folder)?;
    let control = Control::create(folder)?;
    steer(&control, overrides)?;
    let before = spec.variable(PRELOAD_VARIABLE);
    for (name, value) in preload.environment(&control, before.as_deref()) {
        spec = spec.set_literal_variable(name, value);
    }
    // A program built with AddressSanitizer refuses to start after a preloaded library without this option.
    let spec = spec.append_to_variable("ASAN_OPTIONS", ":", "verify_asan_link_order=0");
    Ok((spec, control))
}

/// Changes the settings of the shim in a running command. A seed affects only programs that start later.
pub fn steer(control: &Control, overrides: &Overrides) -> Result<(), ShiftError> {
    control.shift_clock(SignedDuration::from_secs(overrides.clock_shift.unwrap_or(0)))?;
    control.seed_random(overrides.random);
    control.delay_connections(overrides.latency.unwrap_or_default());
    Ok(())
}
