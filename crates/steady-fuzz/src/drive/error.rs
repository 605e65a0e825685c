//! Why a run could not be made.

use std::time::Duration;

use steady_http::{ClientError, TransportError};
use steady_suite::SessionError;

/// A run could not begin.
#[derive(Debug, thiserror::Error)]
pub enum FuzzError {
    /// Filters and protection leave no operation.
    #[error(
        "no operation is left to call; loosen --include and --exclude, or check that the document has paths"
    )]
    NothingToCall,
    /// The client cannot be set up.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The API does not answer.
    #[error("the API cannot be called: {source}")]
    Unreachable {
        /// What happened.
        #[source]
        source: TransportError,
    },
    /// The time was over before there could be an answer.
    #[error(
        "the time was over before the first answer; preparing the first request took most of {spent:.1?}"
    )]
    NoTime {
        /// How long the run has taken.
        spent: Duration,
    },
    /// The time was over before every identity was logged in.
    #[error("the logins took longer than the whole run may take")]
    SlowLogin,
    /// An identity could not log in.
    #[error(transparent)]
    Login(#[from] SessionError),
}
