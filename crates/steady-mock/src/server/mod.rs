//! Serves the stubs: HTTP/1.1, HTTP/2 and TLS on one port, on loopback addresses only.

mod body;
mod connection;
mod fault;
mod listener;
mod respond;

pub(crate) use body::AnswerBody;
pub(crate) use connection::Door;
pub use listener::ListenError;
pub(crate) use listener::{Listening, listen};
