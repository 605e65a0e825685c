//! `steady stabilize`: the flaky assertions of tests that exist.
//!
//! A `suite.json` is run by steady itself; test code is run by the user's own command, with a recorder beside it. Either way the
//! API's answers are compared over reruns, restarts and changes around it, and only assertions that did not hold every time change.

mod suite;

use std::path::{Path, PathBuf};

use steady_model::{Findings, Flaky};

use crate::cli::{SharedArgs, StabilizeArgs};
use crate::config::Config;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::options::{FlakyOptions, SharedOptions};
use crate::output::UnfinishedFile;
use crate::sarif;

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

/// Writes findings as SARIF, where that is asked for.
fn write_sarif(target: Option<&Path>, flaky: &[Flaky], suite: &Path) -> Result<(), CommandError> {
    use std::io::Write as _;
    let Some(target) = target else { return Ok(()) };
    let findings = Findings { version: 1, flaky: flaky.to_vec(), faults: Vec::new(), externals: Vec::new() };
    let text = sarif::of_findings(&findings, suite).to_json().map_err(WriteError::from)?;
    let mut file = UnfinishedFile::create(target)?;
    file.write_all(text.as_bytes()).map_err(WriteError::from)?;
    Ok(file.finish()?)
}

/// A result cannot be written.
#[derive(Debug, thiserror::Error)]
enum WriteError {
    #[error("the findings cannot be written as JSON")]
    Serialize(#[from] serde_json::Error),
    #[error("the findings cannot be written")]
    Write(#[from] std::io::Error),
}

impl crate::error::UserError for WriteError {}
