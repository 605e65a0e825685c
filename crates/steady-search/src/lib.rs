//! Searches an API for behaviour worth a test.
//!
//! [`Engine::plan`] decides what to try next, an [`Execution`] carries values from responses into later requests, and
//! [`Engine::absorb`] learns from the answers: goals reached, faults seen, values worth trying elsewhere. Nothing here sends a
//! request or reads a clock; whoever drives the engine does. In the end [`settle`] turns what the archive holds into tests,
//! and [`join`] makes one suite of what several searches found.

mod archive;
pub mod catalog;
mod cover;
mod curl;
mod dictionary;
mod engine;
mod execution;
mod extract;
mod faults;
mod focus;
mod goals;
mod guard;
pub mod join;
mod memory;
mod names;
mod plan;
mod probes;
mod protection;
mod random;
mod request;
mod resources;
mod sample;
pub mod settle;
mod skeleton;
mod telling;
mod terrain;
mod values;

pub use archive::{Archive, Candidate};
pub use engine::{Engine, FaultKey};
pub use execution::{Executed, Execution};
pub use goals::Goal;
pub use plan::{Intent, Plan, PlannedCall};
pub use random::Random;
pub use terrain::Terrain;
