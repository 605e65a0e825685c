//! Why a wait cannot be tuned.

use std::error::Error;
use std::path::PathBuf;

use steady_exec::{ExecError, SandboxError, StateDirError};

/// Why a file cannot have a wait of some length.
pub type PatchError = Box<dyn Error + Send + Sync>;

/// A wait cannot be tuned.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The test fails whatever the value.
    #[error(
        "the test failed in all of {runs} runs, with a wait of {longest} ms too; see what it says, or try a longer wait"
    )]
    AlwaysFails {
        /// How often it was run.
        runs: u64,
        /// The longest value that was tried, in milliseconds.
        longest: u64,
        /// What the first run said.
        output: String,
    },
    /// The command does not run the test.
    #[error("no test {} was run by the command", test.as_ref().map_or("of the file".to_owned(), |test| format!("`{test}`")))]
    TestNotFound {
        /// The title that was asked for.
        test: Option<String>,
        /// Some of the tests that were run instead.
        instead: Vec<String>,
        /// What the command said.
        output: String,
    },
    /// A file of the project is not there, or not to be read or written.
    #[error(transparent)]
    File(#[from] SandboxError),
    /// A file cannot have this wait.
    #[error("cannot write a wait of {ms} ms into `{}`", path.display())]
    Patch {
        /// The file.
        path: PathBuf,
        /// The wait.
        ms: u64,
        /// Why not.
        source: PatchError,
    },
    /// The command cannot be run.
    #[error(transparent)]
    Run(#[from] ExecError),
}

impl From<StateDirError> for TuneError {
    fn from(error: StateDirError) -> Self {
        Self::Run(error.into())
    }
}
