//! Reruns a test command until the evidence decides which of its tests are flaky, how often, and why.
//!
//! A [`Campaign`] plans one run after the other from the [`Evidence`] so far; [`steady_exec`] applies conditions
//! around a run; [`judge`] turns the evidence into one report per test; [`polluter`] finds the tests that another one's
//! outcome depends on. All of that is plain functions over data. [`drive`] is the edge: it runs the command.
//!
//! ```
//! use steady_model::rerun::Condition;
//! use steady_rerun::{Campaign, Policy, Probing};
//! use steady_stats::{Confidence, Hypotheses, Sprt};
//!
//! let sprt = Sprt::new(Hypotheses::default(), Confidence::new(0.99)?)?;
//! let policy = Policy { runs: 100, until_stable: true, sprt, probing: Probing::WhenFlaky, explain: None };
//! let first = Campaign::new(&["pytest".to_owned()], policy, vec![]).next_task();
//! assert_eq!(first.map(|task| task.condition), Some(Condition::default()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod campaign;
mod category;
mod design;
pub mod drive;
mod evidence;
mod flips;
mod judge;
pub mod polluter;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod testing;

pub use campaign::{Campaign, Policy, Probing, Task};
pub use evidence::{Evidence, Failure, Observations};
pub use judge::{judge, verdict};
