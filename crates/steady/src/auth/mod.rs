//! Who calls are made as: `--header`, and files of the Web Fuzzing Commons format.
//!
//! [`wfc`] is the file format, [`file`](load_file) reads it, `identity` turns what was read into the suite's
//! [`Identity`](steady_model::Identity). Credentials never enter a suite: they become environment lookups there, and
//! [`Accounts::secrets`] knows their values for this run.

mod file;
mod header;
mod identity;
mod principal;
pub mod wfc;

pub(crate) use file::without_position;
pub use file::{AuthError, load_file};
pub use header::HeaderArgument;
pub use identity::{Accounts, IncompleteAuth};
