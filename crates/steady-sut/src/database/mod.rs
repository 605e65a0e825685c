//! The API's PostgreSQL database: its contents are saved once and restored at every reset.
//!
//! All tables of all schemas are included, except those of the system, of extensions and of steady's own store. Contents are kept in memory, as
//! `COPY` writes them: nothing stays in the database when steady is killed. A reset restores only what has changed, in one
//! transaction: changed tables, and those that refer to them, are emptied and filled again, in the same order of rows; sequences
//! and identity columns continue from where they were. `tables` finds tables and what depends on them, `obstacles` disables triggers and
//! foreign keys meanwhile.

mod address;
mod error;
mod obstacles;
mod tables;

use std::collections::BTreeMap;
use std::future::Future;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::future::try_join_all;
use futures_util::{SinkExt as _, TryStreamExt as _};
use tokio::time::timeout;
use tokio_postgres::{Client, Config, Error, NoTls};

pub use error::DatabaseError;
use obstacles::Obstacles;
use tables::{Sequence, Table};

/// How long a connection may take.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);
/// The time limit of saving or restoring.
const LIMIT: Duration = Duration::from_secs(120);
/// How many bytes are saved at most.
const LARGEST: usize = 512 << 20;
/// A transaction that the API left open would block a reset forever.
const RESTORE: &str = "BEGIN; SET LOCAL lock_timeout = '5s'; SET LOCAL client_min_messages = warning";
const READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// A database and what was in it.
pub(crate) struct Database {
    config: Config,
    /// Its address without the password.
    place: String,
    contents: Option<Contents>,
}

/// What was in a database.
struct Contents {
    /// By their quoted names.
    tables: BTreeMap<String, Rows>,
    sequences: Vec<Sequence>,
}

/// What was in a table.
struct Rows {
    /// The columns, as a list in SQL.
    columns: String,
    /// The rows, as `COPY` writes them.
    text: Bytes,
}

impl Database {
    /// The database at this address; nothing is asked of it yet.
    pub(crate) fn new(url: &str) -> Result<Self, DatabaseError> {
        let (config, place) = address::parse(url)?;
        Ok(Self { config, place, contents: None })
    }

    /// Whether there is something to restore.
    pub(crate) fn is_saved(&self) -> bool {
        self.contents.is_some()
    }

    /// Saves its contents.
    pub(crate) async fn save(&mut self) -> Result<(), DatabaseError> {
        let client = self.connect().await?;
        let saved = self.limited("save", save(&client)).await?;
        let contents =
            saved.ok_or_else(|| DatabaseError::TooLarge { place: self.place.clone(), limit: LARGEST })?;
        self.contents = Some(contents);
        Ok(())
    }

    /// Restores the saved contents.
    pub(crate) async fn restore(&self) -> Result<(), DatabaseError> {
        let Some(contents) = &self.contents else { return Ok(()) };
        let client = self.connect().await?;
        // When it fails, the connection is dropped, and the transaction with it.
        self.limited("restore", restore(&client, contents)).await
    }

    async fn connect(&self) -> Result<Client, DatabaseError> {
        let place = || self.place.clone();
        let connecting = timeout(CONNECT_LIMIT, self.config.connect(NoTls)).await;
        let connected = connecting.map_err(|_| DatabaseError::TooSlow {
            action: "reach",
            place: place(),
            limit: CONNECT_LIMIT,
        })?;
        let (client, connection) =
            connected.map_err(|source| DatabaseError::Unreachable { place: place(), source })?;
        // Ends when the client is dropped; errors reach the caller that waits for an answer.
        tokio::spawn(async move { drop(connection.await) });
        Ok(client)
    }

    async fn limited<T>(
        &self,
        action: &'static str,
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, DatabaseError> {
        match timeout(LIMIT, work).await {
            Err(_) => Err(DatabaseError::TooSlow { action, place: self.place.clone(), limit: LIMIT }),
            Ok(outcome) => {
                outcome.map_err(|source| DatabaseError::Failed { action, place: self.place.clone(), source })
            }
        }
    }
}

/// `None` when it exceeds the limit.
async fn save(client: &Client) -> Result<Option<Contents>, Error> {
    client.batch_execute(READ).await?;
    let mut contents = Contents { tables: BTreeMap::new(), sequences: tables::sequences(client).await? };
    let mut room = LARGEST;
    for table in tables::tables(client).await? {
        if let Some(columns) = table.columns {
            let Some(text) = read_rows(client, &table.name, &columns, room).await? else { return Ok(None) };
            room -= text.len();
            contents.tables.insert(table.name, Rows { columns, text });
        }
    }
    client.batch_execute("COMMIT").await?;
    Ok(Some(contents))
}

async fn restore(client: &Client, contents: &Contents) -> Result<(), Error> {
    client.batch_execute(RESTORE).await?;
    let tables = tables::tables(client).await?;
    // All are sent at once: round trips take most of the time.
    let changes = try_join_all(tables.iter().map(|table| has_changed(client, table, contents))).await?;
    let changed = tables.iter().zip(changes).filter(|(_, changed)| *changed).map(|(table, _)| table.oid);
    let changed: Vec<u32> = changed.collect();
    if !changed.is_empty() {
        let links = tables::links(client).await?;
        let concerned = tables::with_dependents(&changed, &links);
        let concerned: Vec<&Table> = tables.iter().filter(|table| concerned.contains(&table.oid)).collect();
        refill(client, &concerned, contents).await?;
    }
    for (now, then) in tables::changed_sequences(&tables::sequences(client).await?, &contents.sequences) {
        client
            .execute(
                "SELECT setval($1::oid::regclass, $2, $3)",
                &[&now.oid, &then.last_value, &then.is_called],
            )
            .await?;
    }
    client.batch_execute("COMMIT").await
}

async fn refill(client: &Client, tables: &[&Table], contents: &Contents) -> Result<(), Error> {
    let oids: Vec<u32> = tables.iter().map(|table| table.oid).collect();
    let obstacles = Obstacles::lift(client, &oids).await?;
    let names: Vec<String> = tables.iter().map(|table| table.own_rows()).collect();
    client.batch_execute(&format!("TRUNCATE {}", names.join(", "))).await?;
    for table in tables {
        let Some(rows) = contents.tables.get(&table.name).filter(|rows| !rows.text.is_empty()) else {
            continue;
        };
        let statement = format!("COPY {} ({}) FROM STDIN", table.name, rows.columns);
        let mut sink = Box::pin(client.copy_in::<_, Bytes>(&statement).await?);
        sink.send(rows.text.clone()).await?;
        sink.as_mut().finish().await?;
    }
    obstacles.put_back(client).await
}

/// Whether a table's rows have changed. A table that was not saved must be empty.
async fn has_changed(client: &Client, table: &Table, contents: &Contents) -> Result<bool, Error> {
    let then = contents.tables.get(&table.name);
    let Some(columns) = then.map(|rows| &rows.columns).or(table.columns.as_ref()) else { return Ok(false) };
    let then = then.map_or(&[][..], |rows| &rows.text);
    let now = read_rows(client, &table.name, columns, then.len()).await?;
    Ok(now.is_none_or(|now| now != then))
}

/// The rows of a table; `None` when they exceed the limit.
async fn read_rows(
    client: &Client,
    table: &str,
    columns: &str,
    longest: usize,
) -> Result<Option<Bytes>, Error> {
    let statement = format!("COPY {table} ({columns}) TO STDOUT");
    let mut stream = Box::pin(client.copy_out(&statement).await?);
    let mut rows = BytesMut::new();
    let mut fits = true;
    // Read to its end in any case: the connection is needed for more.
    while let Some(part) = stream.try_next().await? {
        fits = fits && rows.len() + part.len() <= longest;
        if fits {
            rows.extend_from_slice(&part);
        }
    }
    Ok(fits.then(|| rows.freeze()))
}
