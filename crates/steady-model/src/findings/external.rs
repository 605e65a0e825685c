//! Services the API calls.

use serde::{Deserialize, Serialize};

/// A service the API calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct External {
    /// `http` or `https`.
    pub scheme: String,
    /// The host.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The requests seen, method and path.
    pub requests: Vec<String>,
}
