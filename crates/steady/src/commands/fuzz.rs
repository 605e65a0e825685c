//! `steady fuzz`.

use crate::cli::{FuzzArgs, SharedArgs};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::fuzz;
use crate::options::FuzzOptions;

/// Settles the options and fuzzes.
pub fn run(shared: &SharedArgs, args: FuzzArgs) -> Result<Exit, CommandError> {
    fuzz::run(&FuzzOptions::resolve(shared, args)?)
}
