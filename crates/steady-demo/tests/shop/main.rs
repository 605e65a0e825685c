//! The sample shop over a real socket: that it works, that it is what its document says, and that its bugs are there.
#![allow(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]

mod bugs;
mod document;
mod rejections;
mod resources;
mod server;
mod visitor;
mod volatile;
