//! The history of a test.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;
use steady_model::rerun::{Condition, Counts, Perturbation, TestId};

use super::Bucket;
use crate::StoreError;
use crate::database::Row;

/// The history of one test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestHistory {
    /// Which test.
    pub id: TestId,
    /// When it was first seen at all.
    pub first_seen: Timestamp,
    /// How often it passed, failed and was skipped in the requested time, in plain runs.
    pub counts: Counts,
    /// Failures per execution; absent when it was never executed.
    pub failure_rate: Option<f64>,
    /// On how many revisions it both passed and failed in plain runs.
    pub flips: u32,
    /// The same counts over time, without gaps; all tests of an answer have the same buckets.
    pub buckets: Vec<BucketCounts>,
    /// The conditions under which it failed, plain runs among them.
    pub failed_under: Vec<ConditionCounts>,
    /// Its last failure ever, even outside of the requested time.
    pub last_failure: Option<LastFailure>,
}

/// The counts of a test in a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct BucketCounts {
    /// When it begins.
    pub start: Timestamp,
    /// The counts of the test.
    pub counts: Counts,
}

/// The counts of a test under a condition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConditionCounts {
    /// The condition; empty for a plain run.
    pub perturbations: Vec<Perturbation>,
    /// The counts of the test.
    pub counts: Counts,
}

/// The last failure of a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LastFailure {
    /// When.
    pub at: Timestamp,
    /// On which commit, where it is known.
    pub commit: Option<String>,
    /// On which branch, where it is known.
    pub branch: Option<String>,
    /// Its condition.
    pub condition: Condition,
    /// Its message, shortened.
    pub message: Option<String>,
}

impl LastFailure {
    /// Reads time, commit, branch, settings and message from the columns after the first.
    pub(super) fn read(row: &Row) -> Result<Self, StoreError> {
        Ok(Self {
            at: row.time(1)?,
            commit: row.optional_text(2)?,
            branch: row.optional_text(3)?,
            condition: row.json(4)?,
            message: row.optional_text(5)?,
        })
    }
}

/// The counts of one test while they are collected.
#[derive(Debug, Clone, Default)]
pub(super) struct Gathered {
    buckets: BTreeMap<i64, Counts>,
    conditions: BTreeMap<Vec<Perturbation>, Counts>,
}

impl Gathered {
    pub(super) fn add(&mut self, bucket: i64, condition: &[Perturbation], counts: Counts) {
        let of_bucket = self.buckets.entry(bucket).or_default();
        // The failure rate is that of plain runs: under a perturbation a test may fail every time.
        if condition.is_empty() {
            add(of_bucket, counts);
        }
        match self.conditions.get_mut(condition) {
            Some(sum) => add(sum, counts),
            None => drop(self.conditions.insert(condition.to_vec(), counts)),
        }
    }

    pub(super) fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.buckets.values().for_each(|&counts| add(&mut total, counts));
        total
    }

    /// The first and the last bucket with a count.
    pub(super) fn span(&self) -> Option<(i64, i64)> {
        Some((*self.buckets.first_key_value()?.0, *self.buckets.last_key_value()?.0))
    }

    /// All buckets from the first to the last.
    pub(super) fn buckets(
        &self,
        kind: Bucket,
        (first, last): (i64, i64),
    ) -> Result<Vec<BucketCounts>, StoreError> {
        (first..=last)
            .map(|bucket| {
                let counts = self.buckets.get(&bucket).copied().unwrap_or_default();
                Ok(BucketCounts { start: kind.start(bucket)?, counts })
            })
            .collect()
    }

    pub(super) fn failed_under(&self) -> Vec<ConditionCounts> {
        let failing = self.conditions.iter().filter(|(_, counts)| counts.failed > 0);
        failing
            .map(|(perturbations, &counts)| ConditionCounts { perturbations: perturbations.clone(), counts })
            .collect()
    }
}

/// Adds counts; saturates.
fn add(sum: &mut Counts, more: Counts) {
    sum.passed = sum.passed.saturating_add(more.passed);
    sum.failed = sum.failed.saturating_add(more.failed);
    sum.skipped = sum.skipped.saturating_add(more.skipped);
}

/// Failures per execution.
pub(super) fn failure_rate(counts: Counts) -> Option<f64> {
    let executed = u64::from(counts.passed) + u64::from(counts.failed);
    (executed > 0).then(|| f64::from(counts.failed) / executed as f64)
}
