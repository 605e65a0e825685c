//! Flaky assertions: the options and the report that `fuzz` and `stabilize` share.

mod args;
mod options;
mod report;

pub use args::FlakyArgs;
pub use options::FlakyOptions;
pub use report::flaky_lines;
