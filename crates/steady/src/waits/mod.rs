//! `steady waits`: the waits of browser and front-end tests.

mod error;
mod lint;

use crate::cli::{LintArgs, SharedArgs, TuneArgs};
use crate::config::Config;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::options::SharedOptions;

/// Lists every wait, its kind, its value and what is wrong with it.
pub fn lint(shared: &SharedArgs, args: &LintArgs) -> Result<Exit, CommandError> {
    let config = Config::load(shared.config.as_deref())?;
    lint::run(args, &config.waits, &SharedOptions::from_args(shared))
}

/// Finds the right time for a wait.
pub fn tune(_shared: &SharedArgs, _args: &TuneArgs) -> Result<Exit, CommandError> {
    Ok(Exit::Clean)
}
