//! What can go wrong with a store, where, and what to do about it.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// The store could not do what was asked. Data stored before is not lost.
///
/// `place` is the file or the address of the store, never with a password.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are in the messages")]
pub enum StoreError {
    /// The folder of the file cannot be made.
    #[error("cannot make the folder {} for the store; allow writing there or name another place as `url` under [store]", path.display())]
    Folder { path: PathBuf, source: io::Error },
    /// The file is not there and cannot be made, or cannot be opened.
    #[error(
        "cannot open the store {place}; is its folder writable? Allow writing there or name another place as `url` under [store]"
    )]
    CannotOpen { place: String, source: rusqlite::Error },
    /// It can be read but not written.
    #[error(
        "the store {place} is read-only; allow writing there or name another place as `url` under [store]"
    )]
    ReadOnly { place: String },
    /// The file is damaged, or not a database.
    #[error(
        "the store {place} is damaged or not a database; nothing was changed. To begin a new one and keep this: mv '{place}' '{place}.damaged' (and its -wal and -shm, if there)"
    )]
    Corrupt { place: String, source: rusqlite::Error },
    /// The file is a database, but another program's.
    #[error("{place} is a database of another program; name another place as `url` under [store]")]
    Foreign { place: String },
    /// The disk is full.
    #[error(
        "no room left to write the store {place}; make room, or store less with `keep` and `max-size` under [store]"
    )]
    Full { place: String },
    /// Another process kept it locked.
    #[error("the store {place} was locked by another process for more than {} s; try again when it has ended", waited.as_secs())]
    Busy { place: String, waited: Duration },
    /// A newer steady wrote it.
    #[error(
        "the store {place} was written by a newer steady (schema {found}, this one knows {known}): upgrade steady or name another store"
    )]
    Newer { place: String, found: i64, known: i64 },
    /// The server does not answer.
    #[error("PostgreSQL at {place} cannot be reached; is it running there, and is the address right?")]
    Unreachable { place: String, source: tokio_postgres::Error },
    /// The server took too long.
    #[error("PostgreSQL at {place} took longer than {} s; is the server overloaded, or the network gone?", limit.as_secs())]
    TimedOut { place: String, limit: Duration },
    /// The server does not accept the login.
    #[error(
        "PostgreSQL at {place} refused the login: {detail}; check user and password in `url` under [store]"
    )]
    Login { place: String, detail: String },
    /// The server has no such database.
    #[error(
        "PostgreSQL at {place} has no such database; make it (CREATE DATABASE) or correct `url` under [store]"
    )]
    NoDatabase { place: String },
    /// The user may not do that.
    #[error(
        "PostgreSQL at {place} does not allow this: {detail}; the user needs CREATE on the database and owns the schema `steady`"
    )]
    Denied { place: String, detail: String },
    /// No encrypted connection.
    #[error(
        "TLS with PostgreSQL at {place} failed: {detail}; check `sslmode` and `sslrootcert` in `url` under [store]"
    )]
    Tls { place: String, detail: String },
    /// The server closed the connection.
    #[error("the connection to PostgreSQL at {place} was lost; is the server still running?")]
    Lost { place: String, source: tokio_postgres::Error },
    /// Two transactions conflicted.
    #[error("other processes kept changing the store {place} at the same time; try again")]
    Conflict { place: String },
    /// The address of the store cannot be used.
    #[error(
        "the address of the store cannot be read: {detail}; expected a path or postgres://user:password@host:5432/database?sslmode=verify-full"
    )]
    Address { detail: String },
    /// No session has this number.
    #[error("the store has no session {session}; it may have been removed by retention")]
    NoSession { session: i64 },
    /// A stored value does not match the schema.
    #[error(
        "the store holds something unexpected: column {column} of an answer is not {expected}; was it changed by hand?"
    )]
    Unreadable { column: usize, expected: &'static str },
    /// SQLite failed in another way.
    #[error("SQLite failed on the store {place}; is there room on its disk, and is it a local one?")]
    Sqlite { place: String, source: rusqlite::Error },
    /// PostgreSQL failed in another way.
    #[error("PostgreSQL at {place} failed")]
    Postgres { place: String, source: tokio_postgres::Error },
    /// The thread for the connection could not be set up.
    #[error("cannot set up the connection to PostgreSQL at {place}")]
    Runtime { place: String, source: io::Error },
}
