//! The interface between the store and its database: one small trait, two implementations.
//!
//! SQL is written once, with `?1`, `?2`… for values; both databases accept it. Where they differ (row
//! numbers, locks, sizes) is a method or a word of [`Dialect`].

mod postgres;
mod postgres_error;
mod sqlite;
mod tls;
mod value;

pub(crate) use postgres::{Address, Postgres};
pub(crate) use sqlite::Sqlite;
pub(crate) use value::{Row, Value};

use crate::StoreError;

/// How often a transaction is retried after a conflict with another process.
const ATTEMPTS: u32 = 5;

/// Words the databases do not share; they stand in the migrations as `{key}` and `{clustered}`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dialect {
    pub(crate) key: &'static str,
    pub(crate) clustered: &'static str,
}

/// A statement that inserts rows: the text before and after their values.
pub(crate) struct Insert {
    /// `INSERT INTO table (column, …)`.
    pub(crate) into: &'static str,
    /// What to do with rows that are there; may be empty.
    pub(crate) on_conflict: &'static str,
}

impl Insert {
    /// The statement for so many rows of so many columns.
    fn sql(&self, rows: usize, columns: usize) -> String {
        let groups: Vec<String> =
            (0..rows).map(|row| format!("({})", places(row * columns + 1, columns))).collect();
        format!("{} VALUES {} {}", self.into, groups.join(", "), self.on_conflict)
    }
}

/// What a transaction is going to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Read, from one snapshot.
    Read,
    /// Write, concurrently with other writers.
    Write,
    /// Write, excluding other writers: to delete rows that another may be about to refer to.
    Alone,
}

/// A database that can hold a store.
pub(crate) trait Database: Send {
    /// Its own words.
    fn dialect(&self) -> Dialect;
    /// Runs statements that take no values.
    fn script(&mut self, sql: &str) -> Result<(), StoreError>;
    /// Runs one statement; returns the number of changed rows.
    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, StoreError>;
    /// Inserts rows in their order. No two have the same key.
    fn insert(&mut self, insert: &Insert, rows: &[Vec<Value>]) -> Result<(), StoreError>;
    /// The rows of a query.
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError>;
    /// Begins a transaction.
    fn begin(&mut self, access: Access) -> Result<(), StoreError>;
    /// The schema's number; 0 in an empty database.
    fn schema(&mut self) -> Result<i64, StoreError>;
    /// Sets the schema's number.
    fn set_schema(&mut self, number: i64) -> Result<(), StoreError>;
    /// How many bytes the store takes up.
    fn bytes(&mut self) -> Result<u64, StoreError>;
    /// Frees the space of deleted rows.
    fn compact(&mut self) -> Result<(), StoreError>;
    /// Where it is, without secrets.
    fn place(&self) -> &str;
}

/// Runs `work` in a transaction: all of it happens or nothing. It may run more than once, after a conflict with another
/// process.
pub(crate) fn transaction<T>(
    database: &mut dyn Database,
    access: Access,
    mut work: impl FnMut(&mut dyn Database) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let mut attempt = 1;
    loop {
        database.begin(access)?;
        let outcome = work(database).and_then(|value| database.script("COMMIT").map(|()| value));
        let Err(error) = outcome else { return outcome };
        // The first error is the cause; a rollback fails only when the connection is gone.
        let _ = database.script("ROLLBACK");
        if attempt == ATTEMPTS || !matches!(error, StoreError::Conflict { .. }) {
            return Err(error);
        }
        attempt += 1;
    }
}

/// `?1, ?2, …`: places for `count` values, the first being number `first`.
pub(crate) fn places(first: usize, count: usize) -> String {
    let places: Vec<String> = (first..first + count).map(|number| format!("?{number}")).collect();
    places.join(", ")
}
