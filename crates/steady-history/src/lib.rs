//! Past versions of the lines of a folder, from git.
//!
//! Find the [`Repository`] of a folder and ask for its [`past`](past()): every change of a line that the [`Query`] keeps, newest first,
//! including lines that were deleted. [`line_versions`] lists the earlier texts of a line of today, across edits, moves and renames of
//! its file; [`versions_in`] does so for a file that was edited since. [`past_cached`] caches the answer in a [`HistoryCache`] and later walks only new commits.
//!
//! git does the walking (`git log --raw`, `git cat-file --batch`), as child processes that never outlive the call; versions are compared
//! here, on all cores, and only those whose kept lines differ. What is missing in the clone, or was cut off by the time limit, is reported in a note.
//!
//! ```
//! use std::path::Path;
//! use steady_history::{Limits, Query, Repository, line_versions, past};
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! let Some(repository) = Repository::find(folder)? else {
//!     return Ok(()); // Not under git: there is no history.
//! };
//! let query = Query {
//!     folder: Path::new("tests"),
//!     recursive: false,
//!     is_test: &|path| path.extension().is_some_and(|extension| extension == "ts"),
//!     keep: &|line| line.contains("sleep("),
//!     rules: "sleeps 1",
//!     limits: Limits::default(),
//! };
//! let past = past(&repository, &query)?;
//! for version in line_versions(&past, Path::new("tests/cart.test.ts"), 12) {
//!     println!("{} until {}", version.text, version.subject);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cache;
mod error;
mod git;
mod line;
mod past;
mod paths;
mod rename;
mod repository;
mod versions;
mod walk;

pub use cache::{HistoryCache, past_cached};
pub use error::HistoryError;
pub use line::{LineVersion, line_versions, versions_in};
pub use past::{Limits, LineChange, Past, Query, past};
pub use repository::Repository;
