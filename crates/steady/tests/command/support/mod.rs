//! Runs the command in a folder of its own, against services of its own.

mod invocation;
mod service;

pub use invocation::{Invocation, Outcome};
pub use service::{Answer, Call, Service};
