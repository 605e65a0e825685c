//! Stores every run: in an SQLite file beside the project, or in PostgreSQL for a team.
//!
//! A [`Store`] is opened at a [`StoreLocation`]. A [`Session`] is one call of steady; its runs are stored with
//! [`Store::record`] as they end. [`Store::history`] returns the history of tests, [`Store::prune`] deletes what
//! [`Retention`] does not keep. [`Store::git_cache`] caches git histories. Both databases have the same tables, made by the same numbered steps in `migrations/`.
//!
//! A store that fails must not change the result of a run: what to do with a [`StoreError`] is the caller's choice, and
//! a warning is the right one.
//!
//! ```
//! use steady_model::rerun::{Condition, Ending, Outcome, Run, TestResult};
//! use steady_store::{Environment, HistoryQuery, StoreLocation, Session, Store};
//!
//! # let folder = tempfile::tempdir()?;
//! let mut store = Store::open(&StoreLocation::default_in(folder.path()))?;
//! let session = Session {
//!     project: "shop".into(),
//!     command: vec!["pytest".into()],
//!     version: "0.1.0".into(),
//!     started: "2026-11-15T10:00:00Z".parse()?,
//!     revision: None,
//!     environment: Environment::here(),
//!     shard: None,
//! };
//! let id = store.begin(&session)?;
//! let result = |outcome| TestResult { id: "test_cart".into(), outcome, milliseconds: Some(12.5), message: None };
//! for (number, outcome) in [(1, Outcome::Passed), (2, Outcome::Failed)] {
//!     let run = Run {
//!         number,
//!         condition: Condition::default(),
//!         ending: Ending::Exited(0),
//!         milliseconds: 20.0,
//!         results: vec![result(outcome)],
//!         excerpt: String::new(),
//!     };
//!     store.record(id, "2026-11-15T10:00:01Z".parse()?, &[run])?;
//! }
//! store.finish(id, "2026-11-15T10:00:02Z".parse()?)?;
//!
//! let tests = store.history(&HistoryQuery::new("shop"))?;
//! assert_eq!((tests[0].failure_rate, tests[0].flips), (Some(0.5), 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cache;
mod database;
mod error;
mod git;
mod history;
mod intern;
mod location;
mod migrate;
mod pattern;
mod record;
mod retention;
mod session;
mod store;
mod text;

pub use error::StoreError;
pub use git::GitCache;
pub use history::{
    Bucket, BucketCounts, ConditionCounts, HistoryQuery, LastFailure, ParseBucketError, ProjectSummary,
    TestHistory,
};
pub use location::StoreLocation;
pub use pattern::TestPattern;
pub use retention::{Pruned, Retention};
pub use session::{Environment, PastSession, Revision, Session, SessionId};
pub use store::Store;
