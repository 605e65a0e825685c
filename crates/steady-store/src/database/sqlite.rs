//! A store in one SQLite file.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags, params_from_iter};

use super::{Access, Database, Dialect, Insert, Row, Value};
use crate::StoreError;

/// How long a process waits for another that is writing.
const PATIENCE: Duration = Duration::from_secs(30);
/// Marks a file as a store of steady: "stdy".
const APPLICATION: i64 = 0x7374_6479;
/// Statements kept prepared.
const STATEMENTS: usize = 64;

/// An SQLite file, opened by this process.
pub(crate) struct Sqlite {
    connection: Connection,
    place: String,
}

impl Sqlite {
    /// Opens the file; makes it, and its folder, when it is not there.
    pub(crate) fn open(path: &Path) -> Result<Self, StoreError> {
        let place = path.display().to_string();
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder)
                .map_err(|source| StoreError::Folder { path: folder.to_owned(), source })?;
        }
        let connection =
            Connection::open_with_flags(path, OpenFlags::default() & !OpenFlags::SQLITE_OPEN_URI)
                .map_err(|error| explain(error, &place))?;
        let mut sqlite = Self { connection, place };
        sqlite.prepare()?;
        Ok(sqlite)
    }

    fn prepare(&mut self) -> Result<(), StoreError> {
        self.connection.set_prepared_statement_cache_capacity(STATEMENTS);
        self.connection.busy_timeout(PATIENCE).map_err(|error| explain(error, &self.place))?;
        self.claim()?;
        self.write_ahead()?;
        // With a write-ahead log this is safe when a process dies; a power cut may cost the last transactions.
        self.script("PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY")
    }

    /// Refuses a database of another program and marks a new one as ours.
    fn claim(&mut self) -> Result<(), StoreError> {
        // Both at one moment: another process may be making the tables right now.
        self.script("BEGIN")?;
        let (owner, tables) =
            (self.pragma("application_id")?, self.integer("SELECT COUNT(*) FROM sqlite_schema")?);
        self.script("COMMIT")?;
        match (owner, tables) {
            (APPLICATION, _) => Ok(()),
            // Space can be freed page by page only if this is set before the first table exists.
            (_, 0) => self
                .script(&format!("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA application_id = {APPLICATION}")),
            _ => Err(StoreError::Foreign { place: self.place.clone() }),
        }
    }

    /// Switches the write-ahead log on. SQLite does not wait here when another process does the same.
    fn write_ahead(&mut self) -> Result<(), StoreError> {
        let started = Instant::now();
        loop {
            match self.script("PRAGMA journal_mode = WAL") {
                Err(StoreError::Busy { .. }) if started.elapsed() < PATIENCE => {
                    thread::sleep(Duration::from_millis(5));
                }
                outcome => return outcome,
            }
        }
    }

    fn pragma(&mut self, name: &str) -> Result<i64, StoreError> {
        self.integer(&format!("PRAGMA {name}"))
    }

    fn integer(&mut self, sql: &str) -> Result<i64, StoreError> {
        self.connection.query_row(sql, [], |row| row.get(0)).map_err(|error| explain(error, &self.place))
    }
}

impl Database for Sqlite {
    fn dialect(&self) -> Dialect {
        Dialect { key: "INTEGER PRIMARY KEY", clustered: "WITHOUT ROWID" }
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        self.connection.execute_batch(sql).map_err(|error| explain(error, &self.place))
    }

    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, StoreError> {
        let changed = self
            .connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(params_from_iter(values)));
        changed.map(|rows| rows as u64).map_err(|error| explain(error, &self.place))
    }

    fn insert(&mut self, insert: &Insert, rows: &[Vec<Value>]) -> Result<(), StoreError> {
        let Some(first) = rows.first() else { return Ok(()) };
        let all = self.connection.prepare_cached(&insert.sql(1, first.len())).and_then(|mut statement| {
            rows.iter().try_for_each(|row| statement.execute(params_from_iter(row)).map(drop))
        });
        all.map_err(|error| explain(error, &self.place))
    }

    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let rows = self.connection.prepare_cached(sql).and_then(|mut statement| {
            let columns = statement.column_count();
            let rows = statement.query_map(params_from_iter(values), |row| {
                (0..columns)
                    .map(|column| row.get_ref(column).map(|value: ValueRef<'_>| value.into()))
                    .collect()
            })?;
            rows.map(|row| row.map(Row)).collect()
        });
        rows.map_err(|error| explain(error, &self.place))
    }

    fn begin(&mut self, access: Access) -> Result<(), StoreError> {
        self.script(match access {
            Access::Read => "BEGIN",
            // A transaction that began with a read could not wait for another writer.
            Access::Write | Access::Alone => "BEGIN IMMEDIATE",
        })
    }

    fn schema(&mut self) -> Result<i64, StoreError> {
        self.pragma("user_version")
    }

    fn set_schema(&mut self, number: i64) -> Result<(), StoreError> {
        self.script(&format!("PRAGMA user_version = {number}"))
    }

    fn bytes(&mut self) -> Result<u64, StoreError> {
        let pages = self.pragma("page_count")? - self.pragma("freelist_count")?;
        Ok((pages * self.pragma("page_size")?).unsigned_abs())
    }

    fn compact(&mut self) -> Result<(), StoreError> {
        // Each row of this pragma's answer is one page given back.
        self.query("PRAGMA incremental_vacuum", &[])?;
        self.query("PRAGMA wal_checkpoint(TRUNCATE)", &[]).map(drop)
    }

    fn place(&self) -> &str {
        &self.place
    }
}

/// Classifies an error of SQLite.
fn explain(error: rusqlite::Error, place: &str) -> StoreError {
    let place = place.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            StoreError::Corrupt { place, source: error }
        }
        Some(ErrorCode::DiskFull) => StoreError::Full { place },
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => StoreError::ReadOnly { place },
        Some(ErrorCode::CannotOpen) => StoreError::CannotOpen { place, source: error },
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            StoreError::Busy { place, waited: PATIENCE }
        }
        _ => StoreError::Sqlite { place, source: error },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_apart_and_what_was_there_stays() {
        let folder = tempfile::tempdir().unwrap();
        let mut sqlite = Sqlite::open(&folder.path().join("steady.db")).unwrap();
        sqlite.script("CREATE TABLE notes (body TEXT)").unwrap();
        sqlite.execute("INSERT INTO notes VALUES (?1)", &["kept".into()]).unwrap();
        let pages = sqlite.pragma("page_count").unwrap();
        sqlite.query(&format!("PRAGMA max_page_count = {pages}"), &[]).unwrap();
        let long = Value::from("x".repeat(100_000));
        let error = sqlite.execute("INSERT INTO notes VALUES (?1)", &[long]).unwrap_err();
        assert!(matches!(error, StoreError::Full { .. }), "{error:?}");
        assert_eq!(sqlite.query("SELECT body FROM notes", &[]).unwrap(), [Row(vec!["kept".into()])]);
    }

    #[test]
    fn a_database_of_another_program_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other.db");
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE theirs (body TEXT)").unwrap();
        let before = fs::read(&path).unwrap();
        let error = Sqlite::open(&path).err().unwrap();
        assert!(matches!(error, StoreError::Foreign { .. }), "{error:?}");
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}
