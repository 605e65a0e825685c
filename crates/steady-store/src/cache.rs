//! A cache for expensive results; any entry may be gone the next time.

use std::time::Duration;

use jiff::Timestamp;

use crate::database::{Access, Value, transaction};
use crate::{Store, StoreError, text};

/// An entry's last use is written down only when it is off by more than this: reading should not write.
const STALE: i64 = 3_600_000;

impl Store {
    /// A kept value, if it is still there.
    pub fn cached(
        &mut self,
        namespace: &str,
        key: &str,
        now: Timestamp,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let entry: [Value; 2] = [text::name(namespace).into(), text::name(key).into()];
        let rows = self
            .database
            .query("SELECT content, used_at FROM cache WHERE namespace = ?1 AND name = ?2", &entry)?;
        let Some(row) = rows.first() else { return Ok(None) };
        if row.integer(1)?.saturating_add(STALE) < now.as_millisecond() {
            let [namespace, key] = entry;
            self.database.execute(
                "UPDATE cache SET used_at = ?3 WHERE namespace = ?1 AND name = ?2",
                &[namespace, key, now.into()],
            )?;
        }
        row.bytes(0).map(|content| Some(content.to_vec()))
    }

    /// Keeps a value, in place of the one before.
    pub fn keep(
        &mut self,
        namespace: &str,
        key: &str,
        content: &[u8],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let bytes = i64::try_from(content.len()).unwrap_or(i64::MAX);
        let values = [
            text::name(namespace).into(),
            text::name(key).into(),
            Value::Bytes(content.to_vec()),
            bytes.into(),
            now.into(),
        ];
        let sql = "INSERT INTO cache (namespace, name, content, bytes, used_at) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (namespace, name) DO UPDATE SET
                content = excluded.content, bytes = excluded.bytes, used_at = excluded.used_at";
        self.database.execute(sql, &values).map(drop)
    }

    /// Removes entries that were not used for `max_age`, then the least recently used until no more than `max_bytes` are left.
    /// Returns the number of removed entries.
    pub fn evict(
        &mut self,
        namespace: &str,
        max_age: Duration,
        max_bytes: u64,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let namespace = Value::from(text::name(namespace));
        let age = i64::try_from(max_age.as_millis()).unwrap_or(i64::MAX);
        let cutoff = now.as_millisecond().saturating_sub(age);
        let limit = i64::try_from(max_bytes).unwrap_or(i64::MAX);
        transaction(self.database.as_mut(), Access::Write, |database| {
            let old = database.execute(
                "DELETE FROM cache WHERE namespace = ?1 AND used_at < ?2",
                &[namespace.clone(), cutoff.into()],
            )?;
            let many = database.execute(
                "DELETE FROM cache WHERE namespace = ?1 AND name IN (
                    SELECT name FROM (
                        SELECT name, SUM(bytes) OVER (ORDER BY used_at DESC, name) AS total
                        FROM cache WHERE namespace = ?1
                    ) AS counted WHERE total > CAST(?2 AS BIGINT)
                )",
                &[namespace.clone(), limit.into()],
            )?;
            Ok(old + many)
        })
    }
}
