//! `steady stabilize`: the flaky assertions of tests that exist.
//!
//! A `suite.json` is run by steady itself; test code is run by the user's own command, with a recorder beside it. Either way the
//! API's answers are compared over reruns, restarts and changes around it, and only assertions that did not hold every time change.

mod args;
mod code;
mod ending;
mod report;
mod suite;

use std::path::{Path, PathBuf};

pub use args::StabilizeArgs;

use crate::config::Config;
use crate::error::CommandError;
use crate::flaky::FlakyOptions;
use crate::session::{Ended, Session};
use crate::suite::files::SUITE;

/// Settles the options and stabilizes.
pub fn run(session: &Session, args: &StabilizeArgs) -> Result<Ended, CommandError> {
    let config = Config::load(session.shared().config.as_deref())?;
    let flaky = FlakyOptions::resolve(&args.flaky, &config.flaky);
    match suite_path(&args.path) {
        Some(suite) => suite::run(&suite, args, &config, session, &flaky),
        None => code::run(args, &config, session, &flaky),
    }
}

/// The suite that a path names; none when it names test code.
fn suite_path(path: &Path) -> Option<PathBuf> {
    let inside = path.join(SUITE);
    if path.extension().is_some_and(|extension| extension == "json") {
        return Some(path.to_owned());
    }
    inside.is_file().then_some(inside)
}
