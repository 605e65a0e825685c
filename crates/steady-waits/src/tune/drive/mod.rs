//! The edge of tuning: runs the tests of a copy of the project.
//!
//! [`tune`] finds a value for one wait, [`shrink`] shorter values for many; [`failing()`] finds the line where a test fails. The project is copied once and only the copy is
//! written to; what is installed (`node_modules`) is shared with it. The command is run through [`steady_exec`], its results are
//! read the same way.

mod comparison;
mod error;
mod event;
mod failing;
mod loaded;
mod one;
mod project;
mod report;
mod sandboxed;
mod search;
mod shrink;
mod shrunk;
mod watch;

pub use comparison::{Bound, Comparison};
pub use error::{PatchError, TuneError};
pub use event::{Tell, TuneEvent};
pub use failing::{Failing, failing};
pub use loaded::{Loaded, LoadedValue};
pub use one::tune;
pub use project::{Project, Target};
pub use report::Tuned;
pub use shrink::{ShrinkTarget, shrink, shrink_plan};
pub use shrunk::{Shrunk, ShrunkWait};
