//! The test runners: how to make each report, run some tests only, and run them in an order.
//!
//! [`recognise`] looks at the user's command line and says which [`Runner`] it starts. The runner changes an
//! [`Invocation`], which is plain data: words, environment changes and files of steady's own. Nothing is installed in
//! the user's project and no file of theirs is changed; the caller writes the invocation's files and spawns it.
//!
//! ```
//! use std::path::Path;
//! use steady_model::rerun::TestId;
//! use steady_runners::{Project, recognise};
//!
//! let command = ["mvn", "-q", "test"].map(str::to_owned);
//! let recognised = recognise(&command, &Project::at(Path::new(".")));
//! assert_eq!(recognised.runner.name(), "maven");
//!
//! let mut invocation = recognised.selecting(Path::new("/run/inject"), &[TestId::from("shop.CartTest::total")])?;
//! let report = recognised.runner.report(&mut invocation, Path::new("/run/results"));
//! assert_eq!(invocation.args[2], "-Dtest=shop.CartTest#total");
//! assert_eq!(report.sources.len(), 2);
//! # Ok::<(), steady_runners::Unsupported>(())
//! ```
//!
//! # Ids
//!
//! What a report calls a test is what [`Runner::select`] takes. Where a runner has no stable ids of its own, steady's
//! plugin or reporter writes them to [`RESULTS_FILE`]: one JSON object per line with `id`, `outcome` (`started`,
//! `passed`, `failed` or `skipped`), `ms` and `message`. Each runner's file says what its ids look like.

mod command;
mod invocation;
mod plan;
mod project;
mod recognise;
mod runner;
mod runners;
mod template;
mod unsupported;

pub use invocation::{Invocation, Variable};
pub use plan::RESULTS_FILE;
pub use project::Project;
pub use recognise::{Recognised, recognise};
pub use runner::{Keeping, Order, Report, Runner, Source};
pub use unsupported::{Unsupported, What};
