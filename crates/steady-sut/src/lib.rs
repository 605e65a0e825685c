//! The API under test, where it is ours to start.
//!
//! A [`SutSpec`] says how: a command with `{port}` in it, how to tell that it is ready, how to put it back to its first state, how to
//! end it. A [`Sut`] is such an API: [`Sut::start`] it under a [`Condition`](steady_model::rerun::Condition) (another clock, time zone,
//! language, …), send requests to [`Sut::url`], [`Sut::reset`] it between tests, [`Sut::restart`] it under another condition. The address
//! stays the same for its whole life. [`Sut::perturbations`] lists the conditions that this API can be under. Nothing is left running
//! when it is dropped, and what a killed steady left is ended by the next one.
//!
//! ```
//! use steady_model::rerun::Condition;
//! use steady_sut::{Sut, SutSpec};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let state = tempfile::tempdir()?;
//! let spec = SutSpec::new("python3 -m http.server {port} --bind 127.0.0.1");
//! let mut sut = Sut::new(spec, state.path())?;
//! sut.start(&Condition::default()).await?;
//! assert!(sut.url().starts_with("http://127.0.0.1:"));
//! sut.reset().await?;
//! sut.stop().await?;
//! # Ok(())
//! # }
//! ```
//!
//! Parts: `action` and `spec` are what the user says, `command` how a command line is run, `beside` what happens around the API, `ready` waits for the first answer, `programs` looks
//! at what runs, `database` puts tables back, `error` says what went wrong.

mod action;
mod beside;
mod command;
mod database;
mod error;
mod programs;
mod ready;
mod spec;
mod sut;

pub use action::{Action, ParseRequestError, RequestLine};
pub use database::DatabaseError;
pub use error::{SutError, What};
pub use ready::Answer;
pub use spec::{Reset, SutSpec};
pub use sut::Sut;
