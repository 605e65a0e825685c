//! `steady waits`: the waits of browser and front-end tests.

mod args;
mod attempts;
mod error;
mod lint;
mod past;
mod progress;
mod shrink;
mod tune;

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value};

pub use args::{WaitsArgs, WaitsCommand};

use crate::config::Config;
use crate::error::CommandError;
use crate::session::{Ended, Session};
use lint::LintArgs;
use tune::{TuneArgs, TuneOptions};

/// Lists every wait, its kind, its value and what is wrong with it.
pub fn lint(session: &Session, args: &LintArgs) -> Result<Ended, CommandError> {
    let config = Config::load(session.shared().config.as_deref())?;
    // Reading files owns no process: a signal need not wait for it.
    let _immediate = session.cancel().exit_immediately();
    lint::run(args, &config, session)
}

/// Finds the right time for a wait, or shorter times for many.
pub fn tune(session: &Session, args: &TuneArgs) -> Result<Ended, CommandError> {
    let config = Config::load(session.shared().config.as_deref())?;
    let options = TuneOptions::resolve(args, &config.waits);
    if args.shrink {
        return shrink::run(args, &options, session);
    }
    tune::run(args, &config, &options, session)
}

/// A path as it is shown: `./e2e/cart.spec.ts` without the dot.
fn shown_path(path: PathBuf) -> PathBuf {
    path.strip_prefix(".").map(Path::to_owned).unwrap_or(path)
}

/// A result as the fields of an event.
fn fields(result: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(result) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}
