//! Real APIs, started as steady starts them.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]

mod conditions;
mod database;
mod life;
mod mistakes;
mod reset;
mod support;
