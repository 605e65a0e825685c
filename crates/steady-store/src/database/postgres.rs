//! A store in a PostgreSQL database, in a schema of its own called `steady`.

use std::collections::BTreeMap;
use std::future::Future;
use std::panic::resume_unwind;
use std::thread;
use std::time::Duration;

use futures_util::future::try_join_all;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::time::timeout;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, Error, Statement};

use super::postgres_error::{explain, explain_connecting};
use super::tls::{Tls, Trust};
use super::{Access, Database, Dialect, Insert, Row, Value};
use crate::StoreError;

/// How long a connection may take.
const CONNECT_LIMIT: Duration = Duration::from_secs(15);
/// How long a statement may take.
const LIMIT: Duration = Duration::from_secs(120);
/// The time limit of freeing space.
const COMPACT_LIMIT: Duration = Duration::from_secs(900);
/// The number of the lock that writers share and that cleaning up holds alone.
const LOCK: i64 = 0x7374_6479;
/// Rows inserted with one statement.
const GROUP: usize = 100;

/// Where a server is and how to reach it.
#[derive(Debug)]
pub(crate) struct Address {
    config: Config,
    trust: Trust,
    place: String,
}

impl Address {
    /// Reads `postgres://user:password@host:port/database?sslmode=…`.
    pub(crate) fn parse(url: &str) -> Result<Self, StoreError> {
        let wrong = |detail: &str| StoreError::Address { detail: detail.to_owned() };
        let (url, trust) = Trust::take_from(url)?;
        let mut config: Config = url.parse().map_err(|error: Error| {
            // The causes name options, never their values.
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            wrong(&cause.unwrap_or_else(|| error.to_string()))
        })?;
        if trust != Trust::Optional {
            config.ssl_mode(if trust == Trust::Never { SslMode::Disable } else { SslMode::Require });
        }
        config.connect_timeout(CONNECT_LIMIT);
        if config.get_application_name().is_none() {
            config.application_name("steady");
        }
        let host = match config.get_hosts().first() {
            Some(Host::Tcp(name)) if name.contains('@') => {
                return Err(wrong("special characters of user and password must be percent-encoded"));
            }
            Some(Host::Tcp(name)) => name.clone(),
            Some(Host::Unix(path)) => path.display().to_string(),
            None => return Err(wrong("it names no host")),
        };
        let port = config.get_ports().first().copied().unwrap_or(5432);
        let user = config.get_user().map(|user| format!("{user}@")).unwrap_or_default();
        let database = config.get_dbname().unwrap_or_default();
        let place = format!("postgres://{user}{host}:{port}/{database}");
        Ok(Self { config, trust, place })
    }

    /// The address without the password.
    pub(crate) fn place(&self) -> &str {
        &self.place
    }
}

/// A connection to a PostgreSQL server.
pub(crate) struct Postgres {
    /// Present until this is dropped.
    runtime: Option<Runtime>,
    client: Client,
    statements: BTreeMap<String, Statement>,
    place: String,
}

impl Postgres {
    /// Connects, and makes the schema `steady` when it is not there.
    pub(crate) fn connect(address: &Address) -> Result<Self, StoreError> {
        let place = address.place.clone();
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|source| StoreError::Runtime { place: place.clone(), source })?;
        let tls =
            Tls::new(&address.trust).map_err(|detail| StoreError::Tls { place: place.clone(), detail })?;
        let connecting = async {
            let (client, connection) = address.config.connect(tls).await?;
            // Ends when the client is dropped; errors reach the caller that waits for an answer.
            tokio::spawn(async move { drop(connection.await) });
            Ok(client)
        };
        let connected = wait(&runtime, CONNECT_LIMIT, connecting);
        let client = match connected {
            None => return Err(StoreError::TimedOut { place, limit: CONNECT_LIMIT }),
            Some(Err(error)) => return Err(explain_connecting(error, place)),
            Some(Ok(client)) => client,
        };
        let mut postgres = Self { runtime: Some(runtime), client, statements: BTreeMap::new(), place };
        postgres.prepare()?;
        Ok(postgres)
    }

    fn prepare(&mut self) -> Result<(), StoreError> {
        self.script("SET client_min_messages = warning; SET search_path TO steady")?;
        let exists = "SELECT COUNT(*) FROM pg_catalog.pg_namespace WHERE nspname = 'steady'";
        let there = self.query(exists, &[])?;
        if there.first().map(|row| row.integer(0)).transpose()? == Some(0) {
            // `IF NOT EXISTS` alone fails when two processes find nothing at the same moment.
            self.script(&format!(
                "BEGIN; SELECT pg_advisory_xact_lock({LOCK}); CREATE SCHEMA IF NOT EXISTS steady; COMMIT"
            ))?;
        }
        Ok(())
    }

    /// Waits for an answer of the server.
    fn answer<T: Send>(
        &self,
        limit: Duration,
        work: impl Future<Output = Result<T, Error>> + Send,
    ) -> Result<T, StoreError> {
        let place = || self.place.clone();
        let Some(runtime) = &self.runtime else { return Err(StoreError::TimedOut { place: place(), limit }) };
        match wait(runtime, limit, work) {
            None => Err(StoreError::TimedOut { place: place(), limit }),
            Some(outcome) => outcome.map_err(|error| explain(error, place())),
        }
    }

    fn statement(&mut self, sql: &str) -> Result<Statement, StoreError> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let numbered = sql.replace('?', "$");
        let statement = self.answer(LIMIT, self.client.prepare(&numbered))?;
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

impl Database for Postgres {
    fn dialect(&self) -> Dialect {
        Dialect { key: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", clustered: "" }
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        self.answer(LIMIT, self.client.batch_execute(sql))
    }

    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, StoreError> {
        let statement = self.statement(sql)?;
        self.answer(LIMIT, self.client.execute(&statement, &parameters(values)))
    }

    fn insert(&mut self, insert: &Insert, rows: &[Vec<Value>]) -> Result<(), StoreError> {
        let Some(columns) = rows.first().map(Vec::len) else { return Ok(()) };
        // Many rows a statement and no wait for each answer: round trips would take most of the time.
        let (groups, rest) = rows.as_chunks::<GROUP>();
        for (rows, size) in [(groups.as_flattened(), GROUP), (rest, 1)] {
            if rows.is_empty() {
                continue;
            }
            let statement = &self.statement(&insert.sql(size, columns))?;
            let client = &self.client;
            let all = rows.chunks(size).map(|rows| async move {
                let values: Vec<&(dyn ToSql + Sync)> = rows.iter().flat_map(|row| parameters(row)).collect();
                client.execute(statement, &values).await
            });
            self.answer(LIMIT, try_join_all(all))?;
        }
        Ok(())
    }

    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let statement = self.statement(sql)?;
        let rows = self.answer(LIMIT, self.client.query(&statement, &parameters(values)))?;
        let read = |row: tokio_postgres::Row| {
            (0..row.len()).map(|column| row.try_get(column)).collect::<Result<_, _>>().map(Row)
        };
        rows.into_iter()
            .map(read)
            .collect::<Result<_, _>>()
            .map_err(|error| explain(error, self.place.clone()))
    }

    fn begin(&mut self, access: Access) -> Result<(), StoreError> {
        self.script(&match access {
            Access::Read => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY".to_owned(),
            Access::Write => format!("BEGIN; SELECT pg_advisory_xact_lock_shared({LOCK})"),
            Access::Alone => format!("BEGIN; SELECT pg_advisory_xact_lock({LOCK})"),
        })
    }

    fn schema(&mut self) -> Result<i64, StoreError> {
        // Looked up by name: a query on a missing table would abort the transaction.
        let table =
            "SELECT COUNT(*) FROM pg_catalog.pg_tables WHERE schemaname = 'steady' AND tablename = 'schema'";
        let known = self.query(table, &[])?.first().map(|row| row.integer(0)).transpose()?;
        if known == Some(0) {
            return Ok(0);
        }
        let rows = self.query("SELECT number FROM steady.schema", &[])?;
        rows.first().map_or(Ok(0), |row| row.integer(0))
    }

    fn set_schema(&mut self, number: i64) -> Result<(), StoreError> {
        self.script(
            "CREATE TABLE IF NOT EXISTS steady.schema (number BIGINT NOT NULL); DELETE FROM steady.schema",
        )?;
        self.execute("INSERT INTO steady.schema (number) VALUES (?1)", &[number.into()]).map(drop)
    }

    fn bytes(&mut self) -> Result<u64, StoreError> {
        let sizes =
            "SELECT CAST(COALESCE(SUM(pg_total_relation_size(oid)), 0) AS BIGINT) FROM pg_catalog.pg_class
            WHERE relkind = 'r' AND relnamespace = 'steady'::regnamespace";
        self.query(sizes, &[])?.first().map_or(Ok(0), |row| row.integer(0).map(i64::unsigned_abs))
    }

    fn compact(&mut self) -> Result<(), StoreError> {
        // A plain VACUUM does not shrink the files, and retention by size would never be satisfied.
        for table in ["results", "runs", "messages", "days", "cache"] {
            let sql = format!("VACUUM (FULL, ANALYZE) steady.{table}");
            self.answer(COMPACT_LIMIT, self.client.batch_execute(&sql))?;
        }
        Ok(())
    }

    fn place(&self) -> &str {
        &self.place
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Waiting for the connection's task would panic inside another runtime.
            runtime.shutdown_background();
        }
    }
}

fn parameters(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

/// Runs a future to its end, on another thread if this one already runs futures. `None` after the time limit.
fn wait<T: Send>(runtime: &Runtime, limit: Duration, work: impl Future<Output = T> + Send) -> Option<T> {
    let bounded = async { timeout(limit, work).await.ok() };
    if Handle::try_current().is_err() {
        return runtime.block_on(bounded);
    }
    let outcome = thread::scope(|scope| scope.spawn(|| runtime.block_on(bounded)).join());
    outcome.unwrap_or_else(|panic| resume_unwind(panic))
}
