//! The server over real sockets, as clients see it.
#![allow(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]

mod addresses;
mod admin;
mod answers;
mod client;
mod faults;
mod protocols;
mod record;
mod trust;
