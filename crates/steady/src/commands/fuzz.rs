//! `steady fuzz`.

use crate::cli::FuzzArgs;
use crate::error::CommandError;
use crate::fuzz;
use crate::options::FuzzOptions;
use crate::session::{Ended, Session};

/// Resolves the options and fuzzes.
pub fn run(session: &mut Session, args: FuzzArgs) -> Result<Ended, CommandError> {
    let options = FuzzOptions::resolve(session.shared(), args)?;
    fuzz::run(session, &options)
}
