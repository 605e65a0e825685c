//! Lints, localises and tunes the waits of browser and front-end tests.

pub mod candidate;
pub mod configured;
pub mod files;
pub mod imports;
pub mod lint;
pub mod locate;
mod resolve;
pub mod scripts;
pub mod stack;
pub mod tune;

pub use candidate::{Candidate, Origin};
pub use stack::{Location, fix_location, fix_location_in};
