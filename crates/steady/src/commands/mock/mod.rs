//! `steady mock`: the mock server on its own.

mod args;
mod error;
mod import;
mod mapping_file;
mod record;
mod serve;

pub use args::{ImportArgs, ImportKind, MockArgs, MockCommand, RecordArgs, ServeArgs};

use crate::error::CommandError;
use crate::session::{Ended, Session};

/// Serves, records or imports mappings.
pub fn run(session: &mut Session, args: &MockArgs) -> Result<Ended, CommandError> {
    match &args.command {
        MockCommand::Serve(args) => serve::run(session, args),
        MockCommand::Record(args) => record::run(session, args),
        MockCommand::Import(args) => import::run(session, args),
    }
}
