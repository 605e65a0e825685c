//! `steady waits`: the waits of browser and front-end tests.

mod error;
mod lint;
mod past;
mod place;
mod shrink;
mod survey;
mod trials;
mod tune;

use steady_process::Stop;

use crate::cli::{LintArgs, SharedArgs, TuneArgs};
use crate::config::Config;
use crate::error::{CommandError, UserError};
use crate::exit::Exit;
use crate::options::{SharedOptions, TuneOptions};

/// Lists every wait, its kind, its value and what is wrong with it.
pub fn lint(shared: &SharedArgs, args: &LintArgs) -> Result<Exit, CommandError> {
    let config = Config::load(shared.config.as_deref())?;
    lint::run(args, &config, &SharedOptions::from_args(shared))
}

/// Finds the right time for a wait, or shorter times for many.
pub fn tune(shared: &SharedArgs, args: &TuneArgs) -> Result<Exit, CommandError> {
    let config = Config::load(shared.config.as_deref())?;
    let options = TuneOptions::resolve(args, &config.waits);
    let shared = SharedOptions::from_args(shared);
    let stop = Stop::on_signals().map_err(NoSignals)?;
    if args.shrink {
        return shrink::run(args, &options, &shared, &stop);
    }
    tune::run(args, &config, &options, &shared, &stop)
}

#[derive(Debug, thiserror::Error)]
#[error("cannot listen for Ctrl-C")]
struct NoSignals(#[source] std::io::Error);

impl UserError for NoSignals {}
