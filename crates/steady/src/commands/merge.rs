//! `steady merge`.

use crate::cli::{MergeArgs, SharedArgs};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::options::SharedOptions;
use crate::rerun;

/// Joins the results of shards.
pub fn run(shared: &SharedArgs, args: &MergeArgs) -> Result<Exit, CommandError> {
    rerun::run_merge(&SharedOptions::from_args(shared), args)
}
