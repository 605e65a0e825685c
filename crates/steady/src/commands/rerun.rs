//! `steady rerun`.

use crate::cli::RerunArgs;
use crate::error::CommandError;
use crate::options::RerunOptions;
use crate::rerun;
use crate::session::{Ended, Session};

/// Resolves the options and reruns.
pub fn run(session: &mut Session, args: RerunArgs) -> Result<Ended, CommandError> {
    let options = RerunOptions::resolve(session.shared(), args)?;
    rerun::run(session, &options)
}
