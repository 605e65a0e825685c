//! Results as JUnit XML.

mod rerun;
mod suite;

pub use rerun::of_rerun;
pub use suite::JunitReport;
