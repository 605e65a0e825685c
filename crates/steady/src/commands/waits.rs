//! `steady waits`.

use crate::cli::{SharedArgs, WaitsCommand};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::waits;

/// Lints or tunes.
pub fn run(shared: &SharedArgs, command: &WaitsCommand) -> Result<Exit, CommandError> {
    match command {
        WaitsCommand::Lint(args) => waits::lint(shared, args),
        WaitsCommand::Tune(args) => waits::tune(shared, args),
    }
}
