//! The history of tests over time.
//!
//! Days and weeks are answered from the counts kept per day, so the number of stored results hardly matters; hours are
//! counted from the results themselves. All times are UTC: a day has the same edges on every machine.

mod answer;
mod bucket;
mod select;
mod summary;

pub use answer::{BucketCounts, ConditionCounts, LastFailure, TestHistory};
pub use bucket::{Bucket, ParseBucketError};
pub use summary::ProjectSummary;

use jiff::Timestamp;

use crate::TestPattern;

/// A query for the history of tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryQuery {
    /// The project.
    pub project: String,
    /// Which tests; absent: all.
    pub tests: Option<TestPattern>,
    /// From when; absent: from the first result. Rounded down to the begin of a bucket.
    pub since: Option<Timestamp>,
    /// Until when; absent: to the last result. Rounded up to the end of a bucket.
    pub until: Option<Timestamp>,
    /// The size of a bucket.
    pub bucket: Bucket,
    /// How many tests at most: those that flip or fail most often come first.
    pub limit: u32,
}

impl HistoryQuery {
    /// All of a project by day, at most fifty tests.
    pub fn new(project: impl Into<String>) -> Self {
        Self {
            project: project.into(),
            tests: None,
            since: None,
            until: None,
            bucket: Bucket::Day,
            limit: 50,
        }
    }
}
