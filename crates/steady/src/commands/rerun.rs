//! `steady rerun`.

use crate::cli::{RerunArgs, SharedArgs};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::options::RerunOptions;
use crate::rerun;

/// Settles the options and reruns.
pub fn run(shared: &SharedArgs, args: RerunArgs) -> Result<Exit, CommandError> {
    rerun::run(&RerunOptions::resolve(shared, args)?)
}
