//! Versions of files: cut into lines that are stored once, compared pairwise, and traced back line by line.
//!
//! [`files::Files`] holds every version read. [`step::steps`] compares the versions of each edge; [`trace::Trace`] follows the lines of
//! today through those steps.

pub(crate) mod compare;
pub(crate) mod cutter;
pub(crate) mod files;
pub(crate) mod lines;
pub(crate) mod similarity;
pub(crate) mod step;
pub(crate) mod trace;
pub(crate) mod version;
