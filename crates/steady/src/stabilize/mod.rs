//! `steady stabilize`: the flaky assertions of tests that exist.
//!
//! A `suite.json` is run by steady itself; test code is run by the user's own command, with a recorder beside it. Either way the
//! API's answers are compared over reruns, restarts and changes around it, and only assertions that did not hold every time change.

mod suite;

use std::path::{Path, PathBuf};

use crate::cli::{SharedArgs, StabilizeArgs};
use crate::config::Config;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::options::{FlakyOptions, SharedOptions};

/// Settles the options and stabilizes.
pub fn run(shared: &SharedArgs, args: &StabilizeArgs) -> Result<Exit, CommandError> {
    let config = Config::load(shared.config.as_deref())?;
    let options = SharedOptions::from_args(shared);
    let flaky = FlakyOptions::resolve(&args.flaky, &config.flaky);
    suite::run(&suite_path(&args.path), args, &config, &options, &flaky)
}

fn suite_path(path: &Path) -> PathBuf {
    if path.is_dir() { path.join("suite.json") } else { path.to_owned() }
}
