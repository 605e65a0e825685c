//! Searches an API for behaviour worth a test.
//!
//! [`Engine::plan`] decides what to try next, an [`Execution`] carries values from responses into later requests, and
//! [`Engine::absorb`] learns from the answers: goals reached, faults seen, values worth trying elsewhere. In the end [`drafts`]
//! turns what the archive holds into tests, and [`join`] makes one suite of what several searches found. None of these sends a
//! request or reads a clock; `drive/` alone does, and [`fuzz`] is its entry.
//!
//! Modules use only what is below them: `drive`, then `drafts`, then `engine`, then `sample`, `faults`, `archive` and `traces`, then
//! `execution` and `plan`, and at the bottom `catalog`, `values` and `request`.

mod api_model;
mod archive;
pub mod catalog;
mod cover;
mod curl;
mod dictionary;
pub mod drafts;
mod drive;
mod endpoint_id;
mod endpoint_stats;
mod engine;
mod execution;
mod extract;
mod fault_hints;
mod faults;
mod first_calls;
mod focus;
mod goals;
mod guard;
mod halts;
pub mod join;
mod names;
mod observed_run;
mod plan;
mod probes;
mod protection;
mod random;
mod request;
mod resources;
mod sample;
mod skeleton;
mod traces;
mod values;

pub use api_model::ApiModel;
pub use archive::{Archive, Candidate};
pub use drive::{Ending, FuzzError, FuzzOptions, Outcome, fuzz};
pub use endpoint_id::{EndpointId, PerEndpoint};
pub use engine::{Engine, FaultKey};
pub use execution::{Executed, Execution};
pub use goals::Goal;
pub use halts::Halt;
pub use observed_run::ObservedRun;
pub use plan::{Intent, Plan, PlannedCall};
pub use random::Random;
