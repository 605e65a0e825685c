//! What would prevent restoring rows: triggers would add rows, foreign keys require an order.
//!
//! A superuser switches both off for the transaction. An owner of the tables switches triggers off one by one, and lets foreign keys be
//! checked at the end; all of it is undone before the transaction ends.

use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Error};

/// For superusers and roles they granted it to.
const SWITCH_OFF: &str = "SAVEPOINT obstacles; SET LOCAL session_replication_role = replica";

/// Statements that switch triggers of these tables off, and on again as they were.
const TRIGGERS: &str = "
    SELECT format('ALTER TABLE %s DISABLE TRIGGER %I', t.tgrelid::regclass, t.tgname),
        format('ALTER TABLE %s ENABLE %s TRIGGER %I', t.tgrelid::regclass,
            CASE t.tgenabled WHEN 'R' THEN 'REPLICA' WHEN 'A' THEN 'ALWAYS' ELSE '' END, t.tgname)
    FROM pg_catalog.pg_trigger AS t
    WHERE t.tgrelid = ANY($1) AND NOT t.tgisinternal AND t.tgenabled <> 'D'";

/// Statements that defer the foreign key checks of these tables, and restore them. Partitions follow their parent.
const FOREIGN_KEYS: &str = "
    SELECT format('ALTER TABLE %s ALTER CONSTRAINT %I DEFERRABLE INITIALLY DEFERRED', c.conrelid::regclass, c.conname),
        format('ALTER TABLE %s ALTER CONSTRAINT %I %s', c.conrelid::regclass, c.conname,
            CASE WHEN c.condeferrable THEN 'DEFERRABLE INITIALLY IMMEDIATE' ELSE 'NOT DEFERRABLE' END)
    FROM pg_catalog.pg_constraint AS c
    WHERE c.conrelid = ANY($1) AND c.contype = 'f' AND c.conparentid = 0 AND NOT c.condeferred";

/// What was disabled.
pub(super) struct Obstacles {
    /// The statements that put it back.
    undo: Vec<String>,
}

impl Obstacles {
    /// Disables triggers and foreign keys of these tables, within a transaction.
    pub(super) async fn lift(client: &Client, tables: &[u32]) -> Result<Self, Error> {
        match client.batch_execute(SWITCH_OFF).await {
            Ok(()) => return Ok(Self { undo: Vec::new() }),
            Err(error) if error.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {}
            Err(error) => return Err(error),
        }
        client.batch_execute("ROLLBACK TO SAVEPOINT obstacles").await?;
        let mut lift = Vec::new();
        // Deferred checks run before anything is changed back.
        let mut undo = vec!["SET CONSTRAINTS ALL IMMEDIATE".to_owned()];
        for query in [TRIGGERS, FOREIGN_KEYS] {
            for row in client.query(query, &[&tables]).await? {
                lift.push(row.try_get(0)?);
                undo.push(row.try_get(1)?);
            }
        }
        lift.push("SET CONSTRAINTS ALL DEFERRED".to_owned());
        client.batch_execute(&lift.join(";")).await?;
        Ok(Self { undo })
    }

    /// Restores them, and runs the deferred checks.
    pub(super) async fn put_back(self, client: &Client) -> Result<(), Error> {
        client.batch_execute(&self.undo.join(";")).await
    }
}
