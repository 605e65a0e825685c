//! Lints, localises and tunes the waits of browser and front-end tests.

pub mod candidate;
pub mod tune;

pub use candidate::{Candidate, Origin};
