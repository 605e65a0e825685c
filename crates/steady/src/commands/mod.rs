//! One file per command: takes parsed arguments, calls the engines, says how it ended.

pub mod completions;
pub mod fuzz;
pub mod history;
pub mod merge;
pub mod rerun;
pub mod run;

use tokio::runtime::{Builder, Runtime};

use crate::error::RuntimeError;

/// The runtime the asynchronous edges of a command run on.
pub fn runtime() -> Result<Runtime, RuntimeError> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}
