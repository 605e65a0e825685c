//! Writing runs, and reading them back as they were.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use steady_model::rerun::{Outcome, Run, TestId, TestResult};

use crate::database::{Access, Database, Insert, Row, Value, transaction};
use crate::session::SessionId;
use crate::store::json;
use crate::{Store, StoreError, intern, text};

/// Milliseconds of a day.
pub(crate) const DAY: i64 = 86_400_000;

impl Store {
    /// Stores runs that ended at `at`. A run whose number the session already has is left as it is, so a call may be
    /// repeated.
    pub fn record(&mut self, session: SessionId, at: Timestamp, runs: &[Run]) -> Result<(), StoreError> {
        transaction(self.database.as_mut(), Access::Write, |database| {
            let origin = Origin::of(database, session)?;
            let new = write_runs(database, session, &origin, at, runs)?;
            write_results(database, &origin, at, &new)
        })
    }

    /// The runs of a session that are still stored, by number; texts are as they were shortened.
    pub fn runs(&mut self, session: SessionId) -> Result<Vec<Run>, StoreError> {
        transaction(self.database.as_mut(), Access::Read, |database| {
            let mut results = database.query(
                "SELECT runs.id, tests.name, outcome, results.milliseconds, messages.body
                FROM runs JOIN results ON results.run_id = runs.id
                JOIN tests ON tests.id = results.test_id
                LEFT JOIN messages ON messages.id = results.message_id
                WHERE session_id = ?1 ORDER BY runs.number DESC, position DESC",
                &[session.0.into()],
            )?;
            let rows = database.query(
                "SELECT id, number, settings, ending, milliseconds, excerpt
                FROM runs WHERE session_id = ?1 ORDER BY number",
                &[session.0.into()],
            )?;
            rows.iter().map(|row| run(row, &mut results)).collect()
        })
    }
}

/// What all runs of a session share.
struct Origin {
    project: i64,
    commit: Value,
    branch: Value,
}

impl Origin {
    fn of(database: &mut dyn Database, session: SessionId) -> Result<Self, StoreError> {
        let rows = database
            .query("SELECT project_id, commit_id, branch FROM sessions WHERE id = ?1", &[session.0.into()])?;
        let row = rows.first().ok_or(StoreError::NoSession { session: session.0 })?;
        Ok(Self {
            project: row.integer(0)?,
            commit: row.optional_text(1)?.into(),
            branch: row.optional_text(2)?.into(),
        })
    }
}

/// A run that has just been stored.
struct NewRun<'a> {
    id: i64,
    condition: i64,
    run: &'a Run,
}

fn write_runs<'a>(
    database: &mut dyn Database,
    session: SessionId,
    origin: &Origin,
    at: Timestamp,
    runs: &'a [Run],
) -> Result<Vec<NewRun<'a>>, StoreError> {
    let mut new = Vec::new();
    let conditions = intern::conditions(database, runs.iter().map(|run| &run.condition))?;
    for run in runs {
        let condition = conditions.get(&intern::perturbations(&run.condition)).copied();
        let condition = condition.ok_or(StoreError::Unreadable { column: 0, expected: "a condition" })?;
        let values = [
            session.0.into(),
            origin.project.into(),
            i64::from(run.number).into(),
            condition.into(),
            at.into(),
            json(&run.condition),
            json(&run.ending),
            duration(Some(run.milliseconds)).unwrap_or(0.0).into(),
            text::excerpt(&run.excerpt).into(),
        ];
        let rows = database.query(
            "INSERT INTO runs (session_id, project_id, number, condition_id, recorded_at, settings, ending,
                milliseconds, excerpt)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT (session_id, number) DO NOTHING RETURNING id",
            &values,
        )?;
        if let Some(row) = rows.first() {
            new.push(NewRun { id: row.integer(0)?, condition, run });
        }
    }
    Ok(new)
}

/// The results, the counts of their day and the last failures. Every table is written in the order of its key, so
/// concurrent writers never deadlock.
fn write_results(
    database: &mut dyn Database,
    origin: &Origin,
    at: Timestamp,
    runs: &[NewRun<'_>],
) -> Result<(), StoreError> {
    let every = || runs.iter().flat_map(|new| new.run.results.iter());
    let names: BTreeSet<String> = every().map(|result| text::name(result.id.as_str())).collect();
    let tests = intern::tests(database, origin.project, names, at)?;
    let bodies = every().filter_map(|result| result.message.as_deref()).map(text::message);
    let bodies: BTreeMap<Vec<u8>, String> = bodies.map(|body| (text::hash(&body), body)).collect();
    let messages = intern::messages(database, &bodies)?;

    let day = at.as_millisecond().div_euclid(DAY);
    let mut results = Vec::new();
    let mut days: BTreeMap<(i64, i64), Tally> = BTreeMap::new();
    let mut failures: BTreeMap<i64, Vec<Value>> = BTreeMap::new();
    for new in runs {
        for (position, result) in (0_i64..).zip(&new.run.results) {
            let test = tests.get(&text::name(result.id.as_str())).copied();
            let test = test.ok_or(StoreError::Unreadable { column: 0, expected: "the number of a test" })?;
            let message = result.message.as_deref().map(|body| text::hash(&text::message(body)));
            let message = Value::from(message.and_then(|hash| messages.get(&hash)).copied());
            let milliseconds = duration(result.milliseconds);
            days.entry((test, new.condition)).or_default().add(result.outcome, milliseconds);
            if result.outcome == Outcome::Failed {
                let settings = json(&new.run.condition);
                let failure =
                    [test.into(), at.into(), origin.commit.clone(), origin.branch.clone(), settings];
                failures.insert(test, failure.into_iter().chain([message.clone()]).collect());
            }
            let outcome = code(result.outcome).into();
            let row = [new.id.into(), position.into(), test.into(), outcome, milliseconds.into(), message];
            results.push(row.to_vec());
        }
    }
    let days: Vec<Vec<Value>> =
        days.into_iter().map(|((test, condition), tally)| tally.row(test, day, condition)).collect();
    database.insert(&RESULTS, &results)?;
    database.insert(&DAYS, &days)?;
    database.insert(&LAST_FAILURES, &failures.into_values().collect::<Vec<_>>())
}

const RESULTS: Insert = Insert {
    into: "INSERT INTO results (run_id, position, test_id, outcome, milliseconds, message_id)",
    on_conflict: "",
};

const DAYS: Insert = Insert {
    into: "INSERT INTO days (test_id, day, condition_id, passed, failed, skipped, timed, milliseconds)",
    on_conflict: "ON CONFLICT (test_id, day, condition_id) DO UPDATE SET
        passed = days.passed + excluded.passed,
        failed = days.failed + excluded.failed,
        skipped = days.skipped + excluded.skipped,
        timed = days.timed + excluded.timed,
        milliseconds = days.milliseconds + excluded.milliseconds",
};

const LAST_FAILURES: Insert = Insert {
    into: "INSERT INTO last_failures (test_id, failed_at, commit_id, branch, settings, message_id)",
    on_conflict: "ON CONFLICT (test_id) DO UPDATE SET
        failed_at = excluded.failed_at, commit_id = excluded.commit_id, branch = excluded.branch,
        settings = excluded.settings, message_id = excluded.message_id
        WHERE excluded.failed_at >= last_failures.failed_at",
};

/// The counts of one test in one batch under one condition.
#[derive(Default)]
struct Tally {
    passed: i64,
    failed: i64,
    skipped: i64,
    timed: i64,
    milliseconds: f64,
}

impl Tally {
    fn add(&mut self, outcome: Outcome, milliseconds: Option<f64>) {
        match (outcome, milliseconds) {
            (Outcome::Passed, Some(milliseconds)) => {
                self.passed += 1;
                self.timed += 1;
                self.milliseconds += milliseconds;
            }
            (Outcome::Passed, None) => self.passed += 1,
            (Outcome::Failed, _) => self.failed += 1,
            (Outcome::Skipped, _) => self.skipped += 1,
        }
    }

    fn row(&self, test: i64, day: i64, condition: i64) -> Vec<Value> {
        let counts = [test, day, condition, self.passed, self.failed, self.skipped, self.timed];
        counts.map(Value::from).into_iter().chain([self.milliseconds.into()]).collect()
    }
}

/// Runners may report any number; only a valid duration is kept.
fn duration(milliseconds: Option<f64>) -> Option<f64> {
    milliseconds.filter(|milliseconds| milliseconds.is_finite() && *milliseconds >= 0.0)
}

fn code(outcome: Outcome) -> i64 {
    match outcome {
        Outcome::Passed => 0,
        Outcome::Failed => 1,
        Outcome::Skipped => 2,
    }
}

fn outcome(row: &Row, column: usize) -> Result<Outcome, StoreError> {
    match row.integer(column)? {
        0 => Ok(Outcome::Passed),
        1 => Ok(Outcome::Failed),
        2 => Ok(Outcome::Skipped),
        _ => Err(StoreError::Unreadable { column, expected: "an outcome" }),
    }
}

/// Takes the results of one run from the end of `results`, which is in reverse order.
fn run(row: &Row, results: &mut Vec<Row>) -> Result<Run, StoreError> {
    let id = row.integer(0)?;
    let mut own = Vec::new();
    while let Some(result) = results.pop_if(|result| result.integer(0).is_ok_and(|run| run == id)) {
        own.push(TestResult {
            id: TestId::from(result.text(1)?),
            outcome: outcome(&result, 2)?,
            milliseconds: result.optional_real(3)?,
            message: result.optional_text(4)?,
        });
    }
    Ok(Run {
        number: row.count(1)?,
        condition: row.json(2)?,
        ending: row.json(3)?,
        milliseconds: row.optional_real(4)?.unwrap_or(0.0),
        results: own,
        excerpt: row.text(5)?.to_owned(),
    })
}
