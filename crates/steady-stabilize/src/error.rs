//! Why a suite could not be looked at.

use steady_http::TransportError;
use steady_sut::SutError;

/// The runs could not be made.
#[derive(Debug, thiserror::Error)]
pub enum StabilizeError {
    /// Nobody answers.
    #[error("the API does not answer")]
    Unreachable {
        /// What the connection says.
        #[source]
        source: TransportError,
    },
    /// The API cannot be started again.
    #[error(transparent)]
    Sut(#[from] SutError),
}
