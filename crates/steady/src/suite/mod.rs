//! The suite of an API: `suite.json` is read, and a run's files are written.

pub mod files;
mod load;

pub use load::{base_url, check_environment, load};
