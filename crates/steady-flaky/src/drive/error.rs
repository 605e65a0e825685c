//! Why a suite could not be looked at.

use steady_http::TransportError;
use steady_sut::SutError;

use crate::drive::code::CodeError;

/// The runs could not be made.
#[derive(Debug, thiserror::Error)]
pub enum StabilizeError {
    /// The API accepts no connection.
    #[error("the API does not answer")]
    Unreachable {
        /// What the connection says.
        #[source]
        source: TransportError,
    },
    /// Test code cannot be looked at.
    #[error(transparent)]
    Code(#[from] CodeError),
    /// The API cannot be started again.
    #[error(transparent)]
    Sut(#[from] SutError),
}
