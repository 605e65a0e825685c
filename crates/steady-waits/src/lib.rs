//! Lints, localises and tunes the waits of browser and front-end tests.

pub mod candidate;
pub mod lint;
pub mod stack;

pub use candidate::{Candidate, Origin};
pub use stack::{Location, fix_location};
