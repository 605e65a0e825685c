//! Which tables and sequences there are, and what depends on them.

use std::collections::{BTreeMap, BTreeSet};

use tokio_postgres::{Client, Error};

/// Objects of the user: not the system's, not an extension's, not steady's own.
const OURS: &str = "
    FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'steady') AND c.relpersistence <> 't'
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
        WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')";

/// A table.
pub(super) struct Table {
    pub(super) oid: u32,
    /// With its schema, quoted.
    pub(super) name: String,
    /// Whether its rows are all in its partitions.
    partitioned: bool,
    /// The columns that can be written, as a list in SQL; none when the table has no rows of its own.
    pub(super) columns: Option<String>,
}

impl Table {
    /// The table for `TRUNCATE`, without the tables that inherit from it: they are listed themselves.
    pub(super) fn own_rows(&self) -> String {
        if self.partitioned { self.name.clone() } else { format!("ONLY {}", self.name) }
    }
}

/// A sequence and its position.
pub(super) struct Sequence {
    pub(super) oid: u32,
    name: String,
    pub(super) last_value: i64,
    pub(super) is_called: bool,
}

/// All tables, by name.
pub(super) async fn tables(client: &Client) -> Result<Vec<Table>, Error> {
    let sql = format!(
        "SELECT c.oid, quote_ident(n.nspname) || '.' || quote_ident(c.relname), c.relkind = 'p',
        (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FROM pg_catalog.pg_attribute AS a
            WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '')
        {OURS} AND c.relkind IN ('r', 'p') ORDER BY 2"
    );
    let rows = client.query(&sql, &[]).await?;
    let table = |row: tokio_postgres::Row| {
        let partitioned: bool = row.try_get(2)?;
        let columns: Option<String> = row.try_get(3)?;
        let columns = columns.filter(|_| !partitioned);
        Ok(Table { oid: row.try_get(0)?, name: row.try_get(1)?, partitioned, columns })
    };
    rows.into_iter().map(table).collect()
}

/// All sequences and their positions, those of identity columns included.
pub(super) async fn sequences(client: &Client) -> Result<Vec<Sequence>, Error> {
    let sql = format!(
        "SELECT c.oid, quote_ident(n.nspname) || '.' || quote_ident(c.relname) {OURS} AND c.relkind = 'S'"
    );
    let mut names = BTreeMap::new();
    for row in client.query(&sql, &[]).await? {
        names.insert(row.try_get::<_, u32>(0)?, row.try_get::<_, String>(1)?);
    }
    if names.is_empty() {
        return Ok(Vec::new());
    }
    // One query for all of them: round trips take most of the time.
    let state =
        |(oid, name): (&u32, &String)| format!("SELECT {oid}::oid, last_value, is_called FROM {name}");
    let states = names.iter().map(state).collect::<Vec<_>>().join(" UNION ALL ");
    let sequence = |row: tokio_postgres::Row| {
        let oid = row.try_get(0)?;
        let name = names.get(&oid).cloned().unwrap_or_default();
        Ok(Sequence { oid, name, last_value: row.try_get(1)?, is_called: row.try_get(2)? })
    };
    client.query(&states, &[]).await?.into_iter().map(sequence).collect()
}

/// The sequences whose position changed: as they are, and as they were.
pub(super) fn changed_sequences<'a>(
    now: &'a [Sequence],
    then: &'a [Sequence],
) -> impl Iterator<Item = (&'a Sequence, &'a Sequence)> {
    let by_name: BTreeMap<&str, &Sequence> =
        then.iter().map(|sequence| (sequence.name.as_str(), sequence)).collect();
    let pairs = now.iter().filter_map(move |now| Some((now, *by_name.get(now.name.as_str())?)));
    pairs.filter(|(now, then)| (now.last_value, now.is_called) != (then.last_value, then.is_called))
}

/// Pairs of tables of which the second cannot keep its rows when the first is emptied: it refers to the first, or holds rows of it.
pub(super) async fn links(client: &Client) -> Result<Vec<(u32, u32)>, Error> {
    let sql = "SELECT confrelid, conrelid FROM pg_catalog.pg_constraint WHERE contype = 'f'
        UNION SELECT inhparent, inhrelid FROM pg_catalog.pg_inherits
        UNION SELECT inhrelid, inhparent FROM pg_catalog.pg_inherits";
    let rows = client.query(sql, &[]).await?;
    rows.into_iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// These tables, and all that are linked to them however far.
pub(super) fn with_dependents(tables: &[u32], links: &[(u32, u32)]) -> BTreeSet<u32> {
    let mut found: BTreeSet<u32> = tables.iter().copied().collect();
    let mut open: Vec<u32> = tables.to_vec();
    while let Some(table) = open.pop() {
        let dependents = links.iter().filter(|(on, _)| *on == table).map(|(_, dependent)| *dependent);
        open.extend(dependents.filter(|dependent| found.insert(*dependent)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependents_are_found_through_others_and_in_circles() {
        let links = [(1, 2), (2, 3), (3, 1), (4, 5), (6, 4)];
        assert_eq!(with_dependents(&[2], &links), BTreeSet::from([1, 2, 3]));
        assert_eq!(with_dependents(&[4], &links), BTreeSet::from([4, 5]));
        assert_eq!(with_dependents(&[5], &links), BTreeSet::from([5]));
    }
}
