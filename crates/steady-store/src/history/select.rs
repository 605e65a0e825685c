//! Finds the tests a query means and gathers their counts.

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
    /// How tests fared over time; those that flip or fail most often first.
    pub fn history(&mut self, query: &HistoryQuery) -> Result<Vec<TestHistory>, StoreError> {
        transaction(self.database.as_mut(), Access::Read, |database| {
            let window = Window::of(query);
            let chosen = choose(database, query, &window)?;
            answer(database, query, &window, chosen)
        })
    }
}

/// The slots of the database a query is about: hours or days, both ends included.
struct Window {
    first: i64,
    last: i64,
    /// A table of counts per test, slot and condition.
    source: &'static str,
}

impl Window {
    fn of(query: &HistoryQuery) -> Self {
        let bucket = query.bucket;
        let slots = |time: Timestamp| bucket.of(time);
        // Far enough for any time, near enough to be multiplied.
        let (mut first, mut last) = (-1_000_000_000, 1_000_000_000);
        if let Some(since) = query.since {
            first = bucket.first_slot(slots(since));
        }
        if let Some(until) = query.until {
            last = bucket.first_slot(slots(until) + 1) - 1;
        }
        let source = if bucket == Bucket::Hour { HOURS } else { DAYS };
        Self { first, last, source }
    }

    fn edges(&self) -> [Value; 2] {
        [self.first.into(), self.last.into()]
    }
}

const DAYS: &str = "SELECT test_id, day AS slot, condition_id, passed, failed, skipped FROM days
    WHERE day BETWEEN ?1 AND ?2";

/// Bounded by the time of the run itself, so that its index is used.
const HOURS: &str = "SELECT test_id, recorded_at / 3600000 AS slot, condition_id,
        CASE outcome WHEN 0 THEN 1 ELSE 0 END AS passed,
        CASE outcome WHEN 1 THEN 1 ELSE 0 END AS failed,
        CASE outcome WHEN 2 THEN 1 ELSE 0 END AS skipped
    FROM runs JOIN results ON results.run_id = runs.id
    WHERE recorded_at >= CAST(?1 AS BIGINT) * 3600000 AND recorded_at < (CAST(?2 AS BIGINT) + 1) * 3600000";

/// A test that is going to be told about.
struct Chosen {
    number: i64,
    name: String,
    first_seen: Timestamp,
    counts: Counts,
    flips: u32,
}

/// The tests meant, those that flip or fail most often first, no more than asked for.
fn choose(
    database: &mut dyn Database,
    query: &HistoryQuery,
    window: &Window,
) -> Result<Vec<Chosen>, StoreError> {
    let project = Value::from(text::name(&query.project));
    let names = database.query(
        "SELECT tests.id, tests.name, first_seen FROM tests JOIN projects ON projects.id = project_id
        WHERE projects.name = ?1",
        std::slice::from_ref(&project),
    )?;
    let mut meant = BTreeMap::new();
    for row in &names {
        let name = row.text(1)?;
        if query.tests.as_ref().is_none_or(|pattern| pattern.matches(name)) {
            meant.insert(row.integer(0)?, row);
        }
    }
    let numbers: Vec<i64> = meant.keys().copied().collect();
    let whole = (numbers.len() > CHUNK).then_some(project);
    let flips: BTreeMap<i64, u32> = flips(database, query)?;
    let mut chosen = Vec::new();
    for row in totals(database, window, &numbers, whole)? {
        let number = row.integer(0)?;
        let Some(test) = meant.get(&number) else { continue };
        chosen.push(Chosen {
            number,
            name: test.text(1)?.to_owned(),
            first_seen: test.time(2)?,
            counts: counts(&row, 1)?,
            flips: flips.get(&number).copied().unwrap_or(0),
        });
    }
    chosen.sort_by(|a, b| {
        let rank = |test: &Chosen| (Reverse(test.flips), Reverse(test.counts.failed));
        rank(a).cmp(&rank(b)).then_with(|| a.name.cmp(&b.name))
    });
    chosen.truncate(usize::try_from(query.limit).unwrap_or(usize::MAX));
    Ok(chosen)
}

/// Sums per test: of a few tests by number, of many by reading all of the project.
fn totals(
    database: &mut dyn Database,
    window: &Window,
    numbers: &[i64],
    whole: Option<Value>,
) -> Result<Vec<Row>, StoreError> {
    let [first, last] = window.edges();
    let filter = match &whole {
        Some(_) => {
            "IN (SELECT tests.id FROM tests JOIN projects ON projects.id = project_id WHERE projects.name = ?3)"
                .to_owned()
        }
        None if numbers.is_empty() => return Ok(Vec::new()),
        None => format!("IN ({})", places(3, numbers.len())),
    };
    let sql = format!(
        "SELECT test_id, CAST(SUM(passed) AS BIGINT), CAST(SUM(failed) AS BIGINT), CAST(SUM(skipped) AS BIGINT)
        FROM ({}) AS counted WHERE test_id {filter} GROUP BY test_id",
        window.source
    );
    let values = [first, last].into_iter();
    let values: Vec<Value> = match whole {
        Some(project) => values.chain([project]).collect(),
        None => values.chain(numbers.iter().map(|&number| number.into())).collect(),
    };
    database.query(&sql, &values)
}

/// On how many states of the code each test of the project flipped.
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

fn answer(
    database: &mut dyn Database,
    query: &HistoryQuery,
    window: &Window,
    chosen: Vec<Chosen>,
) -> Result<Vec<TestHistory>, StoreError> {
    let numbers: Vec<i64> = chosen.iter().map(|test| test.number).collect();
    let gathered = gather(database, query.bucket, window, &numbers)?;
    let mut failures = last_failures(database, &numbers)?;
    let span = gathered.values().filter_map(Gathered::span);
    let span = span.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0, -1));
    chosen
        .into_iter()
        .map(|test| {
            let counted = gathered.get(&test.number).cloned().unwrap_or_default();
            Ok(TestHistory {
                id: TestId::from(test.name.as_str()),
                first_seen: test.first_seen,
                counts: test.counts,
                failure_rate: failure_rate(test.counts),
                flips: test.flips,
                buckets: counted.buckets(query.bucket, span)?,
                failed_under: counted.failed_under(),
                last_failure: failures.remove(&test.number),
            })
        })
        .collect()
}

/// The counts of the chosen tests per bucket and condition.
fn gather(
    database: &mut dyn Database,
    bucket: Bucket,
    window: &Window,
    numbers: &[i64],
) -> Result<BTreeMap<i64, Gathered>, StoreError> {
    let mut conditions = BTreeMap::new();
    for row in database.query("SELECT id, perturbations FROM conditions", &[])? {
        conditions.insert(row.integer(0)?, perturbations(row.text(1)?));
    }
    let mut gathered: BTreeMap<i64, Gathered> = BTreeMap::new();
    for chunk in numbers.chunks(CHUNK) {
        let sql = format!(
            "SELECT test_id, slot, condition_id, CAST(SUM(passed) AS BIGINT), CAST(SUM(failed) AS BIGINT),
                CAST(SUM(skipped) AS BIGINT)
            FROM ({}) AS counted WHERE test_id IN ({}) GROUP BY test_id, slot, condition_id",
            window.source,
            places(3, chunk.len())
        );
        let values: Vec<Value> =
            window.edges().into_iter().chain(chunk.iter().map(|&number| number.into())).collect();
        for row in database.query(&sql, &values)? {
            let condition = conditions.get(&row.integer(2)?).map_or(&[][..], Vec::as_slice);
            let test = gathered.entry(row.integer(0)?).or_default();
            test.add(bucket.of_slot(row.integer(1)?), condition, counts(&row, 3)?);
        }
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

/// Names a later steady may know and this one does not are left out.
fn perturbations(names: &str) -> Vec<Perturbation> {
    names.split(',').filter_map(|name| name.parse().ok()).collect()
}
