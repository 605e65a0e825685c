//! The API under test (SUT), where steady starts it.
//!
//! A [`SutSpec`] describes it: a command with `{port}` in it, the readiness check, how to reset it to its first state, how to
//! end it. A [`Sut`] is such an API: [`Sut::start`] it under a [`Condition`](steady_model::rerun::Condition) (another clock, time zone,
//! language, …), send requests to [`Sut::url`], [`Sut::reset`] it between tests, [`Sut::restart`] it under another condition. The address
//! stays the same for its whole life. [`Sut::perturbations`] lists the conditions that this API can be under. Nothing is left running
//! when it is dropped; what a killed steady left is ended by the next one.
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
//! Parts: `action` and `spec` are the user's settings, `command` runs a command line, `beside` holds actions around the API, `ready` waits for the first answer, `programs` inspects
//! the running programs, `database` restores tables, `error` lists what can go wrong.

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
