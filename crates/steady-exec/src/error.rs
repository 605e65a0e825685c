//! Why a run could not be made.

use steady_process::{CopyError, JobError, SpawnError};
use steady_results::SourceError;
use steady_runners::Unsupported;

use crate::apply::ApplyError;
use crate::preload::PreloadError;
use crate::record::RecordError;
use crate::state_dir::StateDirError;

/// Why a test command could not be run.
#[derive(Debug, thiserror::Error)]
pub enum ExecError {
    /// It does not start.
    #[error(transparent)]
    Job(#[from] JobError),
    /// Steady's own folder cannot be used.
    #[error(transparent)]
    StateDir(#[from] StateDirError),
    /// Concurrent runs would overwrite each other's results.
    #[error("runs at the same time would all write their results to `{pattern}`")]
    SharedResults {
        /// Where results are.
        pattern: String,
    },
    /// Only some of its tests are wanted, or in some order, and its runner cannot do that.
    #[error(transparent)]
    Select(#[from] Unsupported),
    /// The pattern of the results is invalid.
    #[error(transparent)]
    Results(#[from] SourceError),
    /// The project cannot be copied.
    #[error(transparent)]
    Copy(#[from] CopyError),
    /// The preload shim cannot be put in place.
    #[error(transparent)]
    Preload(#[from] PreloadError),
    /// The exchanges of its tests cannot be recorded.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl From<SpawnError> for ExecError {
    fn from(error: SpawnError) -> Self {
        Self::Job(error.into())
    }
}

impl From<ApplyError> for ExecError {
    fn from(error: ApplyError) -> Self {
        match error {
            ApplyError::StateDir(error) => Self::StateDir(error),
            ApplyError::Preload(error) => Self::Preload(error),
        }
    }
}
