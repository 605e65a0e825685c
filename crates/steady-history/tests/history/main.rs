//! Histories of repositories that the real git made.

#![allow(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]

mod cache;
mod clones;
mod invariants;
mod lines;
mod long;
mod moves;
mod sandbox;
