//! Why a run could not be made.

use steady_http::{ClientError, TransportError};
use steady_replay::SessionError;

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
    /// An identity could not log in.
    #[error(transparent)]
    Login(#[from] SessionError),
}
