//! Commands that behave badly, and what is left of them: nothing.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]

mod ends;
mod jobs;
mod output;
mod start;
#[path = "../support/mod.rs"]
mod support;
mod tree;
