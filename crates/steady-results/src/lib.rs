//! Reads what test runners write about a run, with test names that stay the same from run to run.
//!
//! [`Sources`] finds the reports a run has left, [`Format`] recognises them by their content and reads them, and
//! [`exit_code()`] stands in where a command reports nothing. The rules by which a test is named are one list, in
//! `identity.rs`; [`Base`] is the project's root, which they need.
//!
//! A test that the runner tried several times within the run has several results with the same id, the last of which is
//! the runner's final result: a failure before a pass is evidence, and is kept.
//!
//! ```
//! use steady_model::rerun::Outcome;
//! use steady_results::{Base, Format, read};
//!
//! let report = br#"<testsuite name="shop.CartTest">
//!   <testcase classname="shop.CartTest" name="addsUp" time="0.012"/>
//!   <testcase classname="shop.CartTest" name="pays"><flakyFailure message="timeout"/></testcase>
//! </testsuite>"#;
//! assert_eq!(Format::detect(report), Some(Format::Junit));
//!
//! let results = read(report, &Base::new("."))?;
//! let outcomes: Vec<_> = results.iter().map(|result| (result.id.as_str(), result.outcome)).collect();
//! assert_eq!(outcomes, [
//!     ("shop.CartTest::addsUp", Outcome::Passed),
//!     ("shop.CartTest::pays", Outcome::Failed),
//!     ("shop.CartTest::pays", Outcome::Passed),
//! ]);
//! # Ok::<(), steady_results::ReadError>(())
//! ```
//!
//! # steady's own lines
//!
//! A plugin for another runner writes `steady-results.jsonl`, an object per line when a test ends:
//!
//! ```json
//! {"id":"tests/test_a.py::test_x","outcome":"passed","ms":1.2}
//! {"id":"tests/test_a.py::test_y","outcome":"failed","ms":3,"message":"AssertionError: 1 != 2"}
//! ```
//!
//! `id` is file, blocks and name joined by `::`; `outcome` is `started`, `passed`, `failed` or `skipped`; `ms` and
//! `message` may be left out. A test that only `started` was running when the run was ended, and counts as failed. The same id
//! again is another test of that name, unless the line has `retry`, the number of tries before it: then it is another try.
//! Other keys are ignored.

mod base;
mod case;
mod error;
mod exit_code;
mod format;
mod formats;
mod identity;
mod sources;
mod text;
mod walk;

pub use base::Base;
pub use error::{ReadError, ReportPosition};
pub use exit_code::{command_id, exit_code};
pub use format::{Format, SIZE_LIMIT, read};
pub use identity::test_id;
pub use sources::{Collected, Snapshot, SourceError, Sources};
pub use text::{MESSAGE_LIMIT, without_colours};

/// The name of the file that steady's own plugins write.
pub const STEADY_RESULTS: &str = "steady-results.jsonl";
