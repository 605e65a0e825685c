//! `steady stabilize`.

use crate::cli::{SharedArgs, StabilizeArgs};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::stabilize;

/// Finds and handles the flaky assertions of tests that exist.
pub fn run(shared: &SharedArgs, args: &StabilizeArgs) -> Result<Exit, CommandError> {
    stabilize::run(shared, args)
}
