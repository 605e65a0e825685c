//! Drives a fuzzing run from the document to the files.

use std::time::Duration;

use crate::error::{CommandError, UsageError};
use crate::exit::Exit;
use crate::options::{FuzzOptions, SharedOptions};

/// Fuzzes a running API.
pub fn run(_options: FuzzOptions) -> Result<Exit, CommandError> {
    Err(unavailable("steady fuzz"))
}

/// Fuzzes the embedded sample, and runs what came of it.
pub fn demo(_shared: SharedOptions, _time: Duration) -> Result<Exit, CommandError> {
    Err(unavailable("steady demo"))
}

fn unavailable(command: &str) -> CommandError {
    UsageError {
        message: format!("`{command}` is not part of this build"),
        hint: "use `steady run` with a suite".to_owned(),
    }
    .into()
}
