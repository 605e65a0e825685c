//! Time buckets.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::StoreError;
use crate::record::DAY;

const HOUR: i64 = 3_600_000;

/// A stretch of time, in UTC; weeks begin on Monday.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bucket {
    /// An hour. Only as far back as single results are kept.
    Hour,
    /// A day.
    Day,
    /// A week.
    Week,
}

/// No bucket has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown bucket `{name}`; choose from {}", Bucket::ALL.map(Bucket::as_str).join(", "))]
pub struct ParseBucketError {
    /// What was written.
    pub name: String,
}

impl FromStr for Bucket {
    type Err = ParseBucketError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().find(|bucket| bucket.as_str() == name);
        named.ok_or_else(|| ParseBucketError { name: name.to_owned() })
    }
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Bucket {
    /// Every bucket, the shortest first.
    pub const ALL: [Self; 3] = [Self::Hour, Self::Day, Self::Week];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
        }
    }

    /// The bucket of a moment.
    pub(super) fn of(self, time: Timestamp) -> i64 {
        let milliseconds = time.as_millisecond();
        match self {
            Self::Hour => milliseconds.div_euclid(HOUR),
            Self::Day | Self::Week => self.of_slot(milliseconds.div_euclid(DAY)),
        }
    }

    /// Which bucket a slot of the database is in: an hour or a day.
    pub(super) fn of_slot(self, slot: i64) -> i64 {
        match self {
            Self::Hour | Self::Day => slot,
            // 1 January 1970 was a Thursday.
            Self::Week => (slot + 3).div_euclid(7),
        }
    }

    /// The first slot of a bucket.
    pub(super) fn first_slot(self, bucket: i64) -> i64 {
        match self {
            Self::Hour | Self::Day => bucket,
            Self::Week => bucket * 7 - 3,
        }
    }

    /// When a bucket begins.
    pub(super) fn start(self, bucket: i64) -> Result<Timestamp, StoreError> {
        let slot = if self == Self::Hour { HOUR } else { DAY };
        Timestamp::from_millisecond(self.first_slot(bucket).saturating_mul(slot))
            .map_err(|_| StoreError::Unreadable { column: 1, expected: "a day" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_moment_lies_in_the_bucket_that_begins_before_it() {
        let cases = [
            (Bucket::Hour, "2026-11-15T23:59:59Z", "2026-11-15T23:00:00Z"),
            (Bucket::Day, "2026-11-15T23:59:59Z", "2026-11-15T00:00:00Z"),
            (Bucket::Week, "2026-11-15T23:59:59Z", "2026-11-09T00:00:00Z"),
            (Bucket::Week, "2026-11-16T00:00:00Z", "2026-11-16T00:00:00Z"),
            (Bucket::Day, "1969-12-31T12:00:00Z", "1969-12-31T00:00:00Z"),
        ];
        for (bucket, moment, start) in cases {
            let found = bucket.start(bucket.of(moment.parse().unwrap())).unwrap();
            assert_eq!(found, start.parse().unwrap(), "{bucket:?} of {moment}");
        }
    }
}
