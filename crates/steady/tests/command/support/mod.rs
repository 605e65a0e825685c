//! Runs the command in a folder of its own, against services of its own.

mod invocation;
mod service;
mod under_way;

pub use invocation::{Invocation, Outcome};
pub use service::{Answer, Call, Service};
pub use under_way::{UnderWay, is_alive, processes, signal, start, wait};
