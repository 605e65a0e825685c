//! A folder per command: its arguments, its resolved options, the run, its files and its reports.

pub mod completions;
pub mod demo;
pub mod fuzz;
pub mod history;
pub mod merge;
pub mod mock;
pub mod rerun;
pub mod run;
pub mod stabilize;
pub mod waits;

use tokio::runtime::{Builder, Runtime};

use crate::error::RuntimeError;

/// The runtime the asynchronous edges of a command run on.
pub fn runtime() -> Result<Runtime, RuntimeError> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}
