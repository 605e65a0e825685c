//! Mappings from what people already have: recorded traffic (HAR), Postman collections, OpenAPI documents.
//!
//! HAR and Postman give [`RecordedExchange`]s, which [`mappings_of`] turns into stubs: a request that was answered differently over
//! time becomes a scenario.

mod example;
mod exchange;
mod har;
mod openapi;
mod postman;

use serde::de::DeserializeOwned;

use crate::mapping::MappingError;

pub use example::example;
pub use exchange::{RecordedExchange, mappings_of};
pub use har::har;
pub use openapi::openapi;
pub use postman::postman;

/// Reads a foreign document; an error says where in it.
fn document<T: DeserializeOwned>(text: &str, origin: &str) -> Result<T, MappingError> {
    let text = text.trim_start_matches('\u{feff}');
    serde_json::from_str(text).map_err(|error| MappingError::of_json(origin, text, &error))
}
