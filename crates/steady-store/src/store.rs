//! The store: opening it, and a session from start to end.

use jiff::Timestamp;

use crate::database::{Access, Address, Database, Postgres, Row, Sqlite, Value, transaction};
use steady_model::shard::Shard;

use crate::session::{PastSession, Revision, Session, SessionId};
use crate::{StoreError, StoreLocation, intern, migrate, text};

/// Every run of every project, in one database.
///
/// Several processes may use the same store at once. Each call is one transaction: all of it is stored or nothing.
/// Calls block; on a thread that runs futures, they block that thread.
pub struct Store {
    pub(crate) database: Box<dyn Database>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Store").field(&self.database.place()).finish()
    }
}

impl Store {
    /// Opens a store, creates it if it does not exist, and migrates an older one.
    pub fn open(location: &StoreLocation) -> Result<Self, StoreError> {
        let mut database: Box<dyn Database> = match location {
            StoreLocation::File(path) => Box::new(Sqlite::open(path)?),
            StoreLocation::Postgres(url) => Box::new(Postgres::connect(&Address::parse(url.reveal())?)?),
        };
        migrate::migrate(database.as_mut())?;
        Ok(Self { database })
    }

    /// Begins a session; its id is for [`Store::record`] and [`Store::finish`].
    pub fn begin(&mut self, session: &Session) -> Result<SessionId, StoreError> {
        transaction(self.database.as_mut(), Access::Write, |database| {
            let project = intern::project(database, &session.project)?;
            let revision = session.revision.as_ref();
            let values = [
                project.into(),
                json(&session.command),
                text::name(&session.version).into(),
                session.started.into(),
                revision.map(|revision| text::name(&revision.commit)).into(),
                revision.and_then(|revision| revision.branch.as_deref()).map(text::name).into(),
                i64::from(revision.is_some_and(|revision| revision.dirty)).into(),
                json(&session.environment),
                session.shard.map(|shard| i64::from(shard.index())).into(),
                session.shard.map(|shard| i64::from(shard.count())).into(),
            ];
            let rows = database.query(
                "INSERT INTO sessions (project_id, command, version, started_at, commit_id, branch, dirty,
                    environment, shard_index, shard_count)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) RETURNING id",
                &values,
            )?;
            let row = rows.first().ok_or(StoreError::Unreadable { column: 0, expected: "a number" })?;
            row.integer(0).map(SessionId)
        })
    }

    /// Ends a session: sets its time and records which tests both passed and failed on the same revision.
    pub fn finish(&mut self, session: SessionId, at: Timestamp) -> Result<(), StoreError> {
        transaction(self.database.as_mut(), Access::Write, |database| {
            let changed = database.execute(
                "UPDATE sessions SET finished_at = ?2 WHERE id = ?1",
                &[session.0.into(), at.into()],
            )?;
            if changed == 0 {
                return Err(StoreError::NoSession { session: session.0 });
            }
            note_flips(database, session)
        })
    }

    /// The newest sessions of a project, newest first.
    pub fn sessions(&mut self, project: &str, limit: u32) -> Result<Vec<PastSession>, StoreError> {
        let rows = self.database.query(
            "SELECT sessions.id, command, version, started_at, finished_at, commit_id, branch, dirty, environment,
                shard_index, shard_count,
                (SELECT COUNT(*) FROM runs WHERE runs.session_id = sessions.id)
            FROM sessions JOIN projects ON projects.id = project_id
            WHERE projects.name = ?1 ORDER BY started_at DESC, sessions.id DESC LIMIT ?2",
            &[text::name(project).into(), i64::from(limit).into()],
        )?;
        rows.iter().map(|row| past_session(project, row)).collect()
    }

    /// How many bytes the store takes up.
    pub fn bytes(&mut self) -> Result<u64, StoreError> {
        self.database.bytes()
    }
}

/// JSON as both databases keep it: text.
pub(crate) fn json<T: serde::Serialize>(value: &T) -> Value {
    // Only a map with keys that are not text can fail, and no type stored here has one.
    Value::Text(serde_json::to_string(value).unwrap_or_default())
}

/// A clean commit is compared over all its sessions; everything else only within its session.
fn note_flips(database: &mut dyn Database, session: SessionId) -> Result<(), StoreError> {
    database
        .execute(
            "INSERT INTO flips (test_id, revision, day)
            SELECT results.test_id, MIN(COALESCE(same.commit_id, 'session ' || same.id)),
                MAX(runs.recorded_at) / 86400000
            FROM (
                SELECT other.id, CASE WHEN own.dirty = 0 THEN own.commit_id END AS commit_id
                FROM sessions AS own
                JOIN sessions AS other ON other.id = own.id OR (
                    own.dirty = 0 AND other.dirty = 0
                    AND other.project_id = own.project_id AND other.commit_id = own.commit_id
                )
                WHERE own.id = ?1
            ) AS same
            JOIN runs ON runs.session_id = same.id
            JOIN conditions ON conditions.id = runs.condition_id AND conditions.perturbations = ''
            JOIN results ON results.run_id = runs.id
            WHERE results.outcome < 2
            GROUP BY results.test_id
            HAVING MIN(results.outcome) < MAX(results.outcome)
            ON CONFLICT (test_id, revision) DO UPDATE SET day = excluded.day",
            &[session.0.into()],
        )
        .map(drop)
}

fn past_session(project: &str, row: &Row) -> Result<PastSession, StoreError> {
    let dirty = row.integer(7)? != 0;
    let branch = row.optional_text(6)?;
    let revision = row.optional_text(5)?.map(|commit| Revision { commit, branch, dirty });
    let number = |column| row.optional_integer(column).map(|number| number.map(|_| row.count(column)));
    let shard = match (number(9)?, number(10)?) {
        // What another program wrote there and is not a shard is not shown as one.
        (Some(index), Some(count)) => Shard::new(index?, count?).ok(),
        _ => None,
    };
    let finished = row.optional_integer(4)?.map(|_| row.time(4)).transpose()?;
    Ok(PastSession {
        id: SessionId(row.integer(0)?),
        session: Session {
            project: project.to_owned(),
            command: row.json(1)?,
            version: row.text(2)?.to_owned(),
            started: row.time(3)?,
            revision,
            environment: row.json(8)?,
            shard,
        },
        finished,
        runs: row.count(11)?,
    })
}
