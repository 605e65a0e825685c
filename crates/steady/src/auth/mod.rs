//! Who calls are made as: `--header`, and files of the Web Fuzzing Commons format.
//!
//! [`wfc`] is the file format, [`file`](load_file) reads it, `identity` turns what was read into the suite's
//! [`Identity`](steady_model::Identity). Credentials never enter a suite: they become environment lookups there, and
//! [`Accounts::secrets`] knows their values for this run. Accounts that `createUsers` makes are another matter: every run
//! has its own, so what is sent to make them and to log in stands in the suite.

mod file;
mod header;
mod identity;
mod login;
mod placeholder;
mod principal;
mod token;
pub mod wfc;

pub use file::{AuthError, load_file};
pub use header::HeaderArgument;
pub use identity::Accounts;
