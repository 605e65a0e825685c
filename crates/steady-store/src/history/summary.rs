//! A project in a few numbers, and how long its tests take.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;
use steady_model::rerun::TestId;

use crate::database::{Access, Value, transaction};
use crate::record::DAY;
use crate::{Store, StoreError, text};

/// How many days back from the last result durations are taken from.
const RECENT_DAYS: i64 = 30;

/// A project in a few numbers, counted by day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ProjectSummary {
    /// Tests that ran.
    pub tests: u64,
    /// Tests that failed at least once.
    pub failing: u64,
    /// Tests that both passed and failed on the same revision in plain runs.
    pub flaky: u64,
    /// Results that are passes.
    pub passed: u64,
    /// Results that are failures.
    pub failed: u64,
    /// Results that are skips.
    pub skipped: u64,
}

impl Store {
    /// The counts of a project since a day, or since the first.
    pub fn summary(&mut self, project: &str, since: Option<Timestamp>) -> Result<ProjectSummary, StoreError> {
        let first = since.map_or(i64::MIN, |time| time.as_millisecond().div_euclid(DAY));
        let values: [Value; 2] = [text::name(project).into(), first.into()];
        transaction(self.database.as_mut(), Access::Read, |database| {
            let rows = database.query(
                "SELECT COUNT(*), COUNT(CASE WHEN failed > 0 THEN 1 END),
                    CAST(COALESCE(SUM(passed), 0) AS BIGINT), CAST(COALESCE(SUM(failed), 0) AS BIGINT),
                    CAST(COALESCE(SUM(skipped), 0) AS BIGINT)
                FROM (
                    SELECT SUM(passed) AS passed, SUM(failed) AS failed, SUM(skipped) AS skipped
                    FROM projects JOIN tests ON tests.project_id = projects.id
                    JOIN days ON days.test_id = tests.id
                    WHERE projects.name = ?1 AND day >= ?2 GROUP BY tests.id
                ) AS counted",
                &values,
            )?;
            let flips = database.query(
                "SELECT COUNT(DISTINCT test_id) FROM projects JOIN tests ON tests.project_id = projects.id
                JOIN flips ON flips.test_id = tests.id WHERE projects.name = ?1 AND day >= ?2",
                &values,
            )?;
            let missing = StoreError::Unreadable { column: 0, expected: "a number" };
            let (Some(row), Some(flips)) = (rows.first(), flips.first()) else { return Err(missing) };
            let number = |column| row.integer(column).map(i64::unsigned_abs);
            Ok(ProjectSummary {
                tests: number(0)?,
                failing: number(1)?,
                flaky: flips.integer(0)?.unsigned_abs(),
                passed: number(2)?,
                failed: number(3)?,
                skipped: number(4)?,
            })
        })
    }

    /// How many milliseconds each test takes when it passes, on average over the project's last thirty days. Tests
    /// without a known duration are left out.
    pub fn durations(&mut self, project: &str) -> Result<BTreeMap<TestId, f64>, StoreError> {
        let rows = self.database.query(
            "SELECT tests.name, SUM(milliseconds) / SUM(timed)
            FROM projects JOIN tests ON tests.project_id = projects.id JOIN days ON days.test_id = tests.id
            WHERE projects.name = ?1 AND timed > 0 AND day > ?2 + (
                SELECT MAX(day) FROM projects JOIN tests ON tests.project_id = projects.id
                JOIN days ON days.test_id = tests.id WHERE projects.name = ?1
            )
            GROUP BY tests.id, tests.name",
            &[text::name(project).into(), (-RECENT_DAYS).into()],
        )?;
        let mut durations = BTreeMap::new();
        for row in rows {
            if let Some(milliseconds) = row.optional_real(1)? {
                durations.insert(TestId::from(row.text(0)?), milliseconds);
            }
        }
        Ok(durations)
    }
}
