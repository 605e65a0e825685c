//! Retention by age and by size, in steps short enough for others to write in between.

use std::time::Duration;

use jiff::Timestamp;

use crate::database::{Access, Database, Value, places, transaction};
use crate::record::DAY;
use crate::{Store, StoreError};

/// How many runs are deleted in one transaction.
const RUNS_PER_STEP: i64 = 50;
/// How many messages are deleted in one transaction.
const MESSAGES_PER_STEP: i64 = 5000;
/// A session without an end may still be running; after thirty more days it counts as aborted.
const UNFINISHED: i64 = 30 * DAY;
/// Retention by size goes this far below the limit, otherwise the next call would start it again.
const TARGET_PER_CENT: u64 = 90;

/// How much of the history is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// How long single runs and results are kept; absent: for ever.
    pub max_age: Option<Duration>,
    /// How long the counts per day, flips and last failures are kept; absent: for ever. Never shorter than `max_age`.
    pub max_age_of_counts: Option<Duration>,
    /// How many bytes the store may take; absent: any number. The oldest runs go first.
    pub max_bytes: Option<u64>,
}

impl Default for Retention {
    /// Ninety days, two years of counts, one gibibyte.
    fn default() -> Self {
        let days = |count: u64| Some(Duration::from_secs(count * 24 * 60 * 60));
        Self { max_age: days(90), max_age_of_counts: days(730), max_bytes: Some(1 << 30) }
    }
}

/// What was deleted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Runs, with their results.
    pub runs: u64,
    /// Results.
    pub results: u64,
    /// Counts of a test on a day.
    pub days: u64,
    /// The size before.
    pub bytes_before: u64,
    /// The size after.
    pub bytes_after: u64,
}

impl Store {
    /// Deletes what is too old or too much. Others may write meanwhile; the newest session always stays.
    pub fn prune(&mut self, retention: &Retention, now: Timestamp) -> Result<Pruned, StoreError> {
        let database = self.database.as_mut();
        let bytes_before = database.bytes()?;
        let mut pruned = Pruned { bytes_before, bytes_after: bytes_before, ..Pruned::default() };
        if let Some(cutoff) = earlier(now, retention.max_age) {
            while remove_runs(database, cutoff, RUNS_PER_STEP, &mut pruned)? {}
            remove_empty_sessions(database, cutoff)?;
        }
        if let Some(age) = retention.max_age_of_counts {
            let age = retention.max_age.map_or(Duration::MAX, |details| age.max(details));
            if let Some(cutoff) = earlier(now, Some(age)) {
                pruned.days = remove_counts(database, cutoff)?;
            }
        }
        if let Some(excess) = excess(database, bytes_before, retention.max_bytes, &pruned)? {
            let goal = pruned.results + excess;
            while pruned.results < goal && remove_runs(database, i64::MAX, RUNS_PER_STEP, &mut pruned)? {}
        }
        if pruned.runs > 0 || pruned.days > 0 {
            while remove_messages(database)? {}
            database.compact()?;
            pruned.bytes_after = database.bytes()?;
        }
        Ok(pruned)
    }
}

/// How many results are too many, estimated from the average size of one.
fn excess(
    database: &mut dyn Database,
    bytes: u64,
    limit: Option<u64>,
    pruned: &Pruned,
) -> Result<Option<u64>, StoreError> {
    let Some(limit) = limit.filter(|&limit| bytes > limit) else { return Ok(None) };
    let rows = database.query("SELECT COUNT(*) FROM results", &[])?;
    let left = rows.first().map_or(Ok(0), |row| row.integer(0))?.unsigned_abs();
    let all = left + pruned.results;
    // Rounded up: one result too many would start the next call again.
    let keep = u128::from(all) * u128::from(limit / 100 * TARGET_PER_CENT) / u128::from(bytes.max(1));
    let keep = u64::try_from(keep).unwrap_or(u64::MAX);
    Ok((left > keep).then(|| left - keep))
}

/// Deletes some of the oldest runs before `cutoff`; returns false when none is left.
fn remove_runs(
    database: &mut dyn Database,
    cutoff: i64,
    count: i64,
    pruned: &mut Pruned,
) -> Result<bool, StoreError> {
    let (runs, results) = transaction(database, Access::Write, |database| {
        let rows = database.query(
            "SELECT id FROM runs WHERE recorded_at < ?1 AND session_id < (SELECT MAX(id) FROM sessions)
            ORDER BY recorded_at, id LIMIT ?2",
            &[cutoff.into(), count.into()],
        )?;
        let oldest = rows.iter().map(|row| row.integer(0).map(Value::from));
        let oldest = oldest.collect::<Result<Vec<Value>, StoreError>>()?;
        if oldest.is_empty() {
            return Ok((0, 0));
        }
        let these = places(1, oldest.len());
        let results = database.execute(&format!("DELETE FROM results WHERE run_id IN ({these})"), &oldest)?;
        let runs = database.execute(&format!("DELETE FROM runs WHERE id IN ({these})"), &oldest)?;
        Ok((runs, results))
    })?;
    pruned.runs += runs;
    pruned.results += results;
    Ok(runs > 0)
}

fn remove_empty_sessions(database: &mut dyn Database, cutoff: i64) -> Result<(), StoreError> {
    transaction(database, Access::Alone, |database| {
        database.execute(
            "DELETE FROM sessions WHERE started_at < ?1 AND (finished_at IS NOT NULL OR started_at < ?2)
            AND id < (SELECT MAX(id) FROM sessions AS newest)
            AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.session_id = sessions.id)",
            &[cutoff.into(), cutoff.saturating_sub(UNFINISHED).into()],
        )
    })
    .map(drop)
}

/// Deletes counts, flips and last failures before `cutoff`, and tests without any data left.
fn remove_counts(database: &mut dyn Database, cutoff: i64) -> Result<u64, StoreError> {
    let day = cutoff.div_euclid(DAY);
    transaction(database, Access::Alone, |database| {
        let days = database.execute("DELETE FROM days WHERE day < ?1", &[day.into()])?;
        database.execute("DELETE FROM flips WHERE day < ?1", &[day.into()])?;
        database.execute("DELETE FROM last_failures WHERE failed_at < ?1", &[cutoff.into()])?;
        if days > 0 {
            database.execute(
                "DELETE FROM tests WHERE NOT EXISTS (SELECT 1 FROM days WHERE days.test_id = tests.id)
                AND NOT EXISTS (SELECT 1 FROM last_failures WHERE last_failures.test_id = tests.id)",
                &[],
            )?;
        }
        Ok(days)
    })
}

/// Deletes unreferenced messages; there must be no writer that may refer to one. Returns false when none is left.
fn remove_messages(database: &mut dyn Database) -> Result<bool, StoreError> {
    let removed = transaction(database, Access::Alone, |database| {
        database.execute(
            "DELETE FROM messages WHERE id IN (
                SELECT id FROM messages
                WHERE NOT EXISTS (SELECT 1 FROM results WHERE results.message_id = messages.id)
                AND NOT EXISTS (SELECT 1 FROM last_failures WHERE last_failures.message_id = messages.id)
                LIMIT ?1
            )",
            &[MESSAGES_PER_STEP.into()],
        )
    })?;
    Ok(removed > 0)
}

/// The moment `age` before `now`; `None` without a limit or such a moment.
fn earlier(now: Timestamp, age: Option<Duration>) -> Option<i64> {
    let milliseconds = i64::try_from(age?.as_millis()).ok()?;
    now.as_millisecond().checked_sub(milliseconds)
}
