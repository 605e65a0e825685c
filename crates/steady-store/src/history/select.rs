//! Finds the tests of a query and collects their counts.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use jiff::Timestamp;
use steady_model::rerun::{Counts, Perturbation, TestId};

use super::answer::{Gathered, LastFailure, TestHistory, failure_rate};
use super::{Bucket, HistoryQuery};
use crate::database::{Access, Database, Row, Value, places, transaction};
use crate::record::DAY;
use crate::{Store, StoreError, text};

/// How many tests are asked about with one statement.
const CHUNK: usize = 250;

impl Store {
    /// The history of tests over time; those that flip or fail most often first.
    pub fn history(&mut self, query: &HistoryQuery) -> Result<Vec<TestHistory>, StoreError> {
        let project = Value::from(text::name(&query.project));
        transaction(self.database.as_mut(), Access::Read, |database| {
            let found =
                database.query("SELECT id FROM projects WHERE name = ?1", std::slice::from_ref(&project))?;
            let Some(row) = found.first() else { return Ok(Vec::new()) };
            let project = row.integer(0)?;
            let window = Window::of(query, project);
            let ranked = rank(database, query, &window, project)?;
            answer(database, query, &window, ranked)
        })
    }
}

/// The slots of the database that a query covers: hours or days, both ends included.
struct Window {
    first: i64,
    last: i64,
    /// A table of counts per test, slot and condition.
    source: String,
}

impl Window {
    fn of(query: &HistoryQuery, project: i64) -> Self {
        let bucket = query.bucket;
        // Far enough for any time, near enough to be multiplied.
        let (mut first, mut last) = (-1_000_000_000, 1_000_000_000);
        if let Some(since) = query.since {
            first = bucket.first_slot(bucket.of(since));
        }
        if let Some(until) = query.until {
            last = bucket.first_slot(bucket.of(until) + 1) - 1;
        }
        let source = if bucket == Bucket::Hour { hours(project) } else { DAYS.to_owned() };
        Self { first, last, source }
    }

    fn edges(&self) -> [Value; 2] {
        [self.first.into(), self.last.into()]
    }
}

const DAYS: &str = "SELECT test_id, day AS slot, condition_id, passed, failed, skipped FROM days
    WHERE day BETWEEN ?1 AND ?2";

/// Runs come first, by the index on their time: `CROSS JOIN` fixes that order for SQLite.
fn hours(project: i64) -> String {
    format!(
        "SELECT test_id, recorded_at / 3600000 AS slot, condition_id,
            CASE outcome WHEN 0 THEN 1 ELSE 0 END AS passed,
            CASE outcome WHEN 1 THEN 1 ELSE 0 END AS failed,
            CASE outcome WHEN 2 THEN 1 ELSE 0 END AS skipped
        FROM runs CROSS JOIN results
        WHERE results.run_id = runs.id AND runs.project_id = {project}
        AND recorded_at >= CAST(?1 AS BIGINT) * 3600000 AND recorded_at < (CAST(?2 AS BIGINT) + 1) * 3600000"
    )
}

/// A selected test.
struct Ranked {
    number: i64,
    name: String,
    first_seen: Timestamp,
    /// In plain runs, and in all.
    failed: (u32, u32),
    flips: u32,
}

/// All selected tests, those that flip or fail most often first. Whether they ran in that time is not known yet:
/// only failures are counted, because there are few.
fn rank(
    database: &mut dyn Database,
    query: &HistoryQuery,
    window: &Window,
    project: i64,
) -> Result<Vec<Ranked>, StoreError> {
    let mut failures = BTreeMap::new();
    let sql = format!(
        "SELECT test_id, CAST(SUM(CASE WHEN conditions.perturbations = '' THEN failed ELSE 0 END) AS BIGINT),
            CAST(SUM(failed) AS BIGINT)
        FROM ({}) AS counted JOIN conditions ON conditions.id = condition_id
        WHERE failed > 0 GROUP BY test_id",
        window.source
    );
    for row in database.query(&sql, &window.edges())? {
        failures.insert(row.integer(0)?, (row.count(1)?, row.count(2)?));
    }
    let flips = flips(database, query)?;
    let tests =
        database.query("SELECT id, name, first_seen FROM tests WHERE project_id = ?1", &[project.into()])?;
    let mut ranked = Vec::new();
    for row in &tests {
        let (number, name) = (row.integer(0)?, row.text(1)?);
        if query.tests.as_ref().is_none_or(|pattern| pattern.matches(name)) {
            ranked.push(Ranked {
                number,
                name: name.to_owned(),
                first_seen: row.time(2)?,
                failed: failures.get(&number).copied().unwrap_or_default(),
                flips: flips.get(&number).copied().unwrap_or(0),
            });
        }
    }
    ranked.sort_by(|a, b| {
        let key = |test: &Ranked| (Reverse(test.flips), Reverse(test.failed));
        key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
    });
    Ok(ranked)
}

/// On how many revisions each test of the project flipped.
fn flips(database: &mut dyn Database, query: &HistoryQuery) -> Result<BTreeMap<i64, u32>, StoreError> {
    let day = |time: Timestamp| time.as_millisecond().div_euclid(DAY);
    let rows = database.query(
        "SELECT test_id, COUNT(*) FROM flips
        JOIN tests ON tests.id = test_id JOIN projects ON projects.id = project_id
        WHERE projects.name = ?1 AND day BETWEEN ?2 AND ?3 GROUP BY test_id",
        &[
            text::name(&query.project).into(),
            query.since.map_or(i64::MIN, day).into(),
            query.until.map_or(i64::MAX, day).into(),
        ],
    )?;
    rows.iter().map(|row| Ok((row.integer(0)?, row.count(1)?))).collect()
}

/// Collects the first tests that ran in that time, up to the limit.
fn answer(
    database: &mut dyn Database,
    query: &HistoryQuery,
    window: &Window,
    ranked: Vec<Ranked>,
) -> Result<Vec<TestHistory>, StoreError> {
    let limit = usize::try_from(query.limit).unwrap_or(usize::MAX);
    let conditions = conditions(database)?;
    let mut chosen: Vec<(Ranked, Gathered)> = Vec::new();
    let mut ranked = ranked.into_iter();
    while chosen.len() < limit {
        let next: Vec<Ranked> = ranked.by_ref().take(CHUNK.min(limit - chosen.len())).collect();
        if next.is_empty() {
            break;
        }
        let mut gathered = gather(database, query.bucket, window, &conditions, &next)?;
        chosen.extend(next.into_iter().filter_map(|test| {
            let counted = gathered.remove(&test.number)?;
            Some((test, counted))
        }));
    }
    let numbers: Vec<i64> = chosen.iter().map(|(test, _)| test.number).collect();
    let mut failures = last_failures(database, &numbers)?;
    let spans = chosen.iter().filter_map(|(_, counted)| counted.span());
    let span = spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0, -1));
    chosen
        .into_iter()
        .map(|(test, counted)| {
            let counts = counted.total();
            Ok(TestHistory {
                id: TestId::from(test.name.as_str()),
                first_seen: test.first_seen,
                counts,
                failure_rate: failure_rate(counts),
                flips: test.flips,
                buckets: counted.buckets(query.bucket, span)?,
                failed_under: counted.failed_under(),
                last_failure: failures.remove(&test.number),
            })
        })
        .collect()
}

/// All conditions by number. Perturbations that only a newer steady has are left out.
fn conditions(database: &mut dyn Database) -> Result<BTreeMap<i64, Vec<Perturbation>>, StoreError> {
    let rows = database.query("SELECT id, perturbations FROM conditions", &[])?;
    let read = |names: &str| names.split(',').filter_map(|name| name.parse().ok()).collect();
    rows.iter().map(|row| Ok((row.integer(0)?, read(row.text(1)?)))).collect()
}

/// The counts of some tests per bucket and condition.
fn gather(
    database: &mut dyn Database,
    bucket: Bucket,
    window: &Window,
    conditions: &BTreeMap<i64, Vec<Perturbation>>,
    tests: &[Ranked],
) -> Result<BTreeMap<i64, Gathered>, StoreError> {
    let sql = format!(
        "SELECT test_id, slot, condition_id, CAST(SUM(passed) AS BIGINT), CAST(SUM(failed) AS BIGINT),
            CAST(SUM(skipped) AS BIGINT)
        FROM ({}) AS counted WHERE test_id IN ({}) GROUP BY test_id, slot, condition_id",
        window.source,
        places(3, tests.len())
    );
    let numbers = tests.iter().map(|test| test.number.into());
    let values: Vec<Value> = window.edges().into_iter().chain(numbers).collect();
    let mut gathered: BTreeMap<i64, Gathered> = BTreeMap::new();
    for row in database.query(&sql, &values)? {
        let condition = conditions.get(&row.integer(2)?).map_or(&[][..], Vec::as_slice);
        let test = gathered.entry(row.integer(0)?).or_default();
        test.add(bucket.of_slot(row.integer(1)?), condition, counts(&row, 3)?);
    }
    Ok(gathered)
}

fn last_failures(
    database: &mut dyn Database,
    numbers: &[i64],
) -> Result<BTreeMap<i64, LastFailure>, StoreError> {
    let mut failures = BTreeMap::new();
    for chunk in numbers.chunks(CHUNK) {
        let sql = format!(
            "SELECT test_id, failed_at, commit_id, branch, settings, messages.body
            FROM last_failures LEFT JOIN messages ON messages.id = message_id WHERE test_id IN ({})",
            places(1, chunk.len())
        );
        let values: Vec<Value> = chunk.iter().map(|&number| number.into()).collect();
        for row in database.query(&sql, &values)? {
            failures.insert(row.integer(0)?, LastFailure::read(&row)?);
        }
    }
    Ok(failures)
}

fn counts(row: &Row, first: usize) -> Result<Counts, StoreError> {
    Ok(Counts { passed: row.count(first)?, failed: row.count(first + 1)?, skipped: row.count(first + 2)? })
}
