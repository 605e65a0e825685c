//! TLS: a certificate authority per run, a certificate per host, and files that make clients trust them.

mod authority;
mod jks;
mod resolver;

pub use authority::{Authority, TrustError};
pub use jks::STORE_PASSWORD;
pub(crate) use resolver::acceptor;
