//! Names that are stored once: projects, conditions, tests, messages.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use steady_model::rerun::Condition;

use crate::database::{Database, Insert, Row, Value, places};
use crate::{StoreError, text};

/// How many names are looked up with one statement.
const CHUNK: usize = 250;

/// The number of a project, new or known.
pub(crate) fn project(database: &mut dyn Database, name: &str) -> Result<i64, StoreError> {
    let name = Value::from(text::name(name));
    database.execute(
        "INSERT INTO projects (name) VALUES (?1) ON CONFLICT (name) DO NOTHING",
        std::slice::from_ref(&name),
    )?;
    only(database, "SELECT id FROM projects WHERE name = ?1", name)
}

/// The numbers of conditions, by their perturbations.
pub(crate) fn conditions<'a>(
    database: &mut dyn Database,
    conditions: impl Iterator<Item = &'a Condition>,
) -> Result<BTreeMap<String, i64>, StoreError> {
    let names: BTreeSet<String> = conditions.map(perturbations).collect();
    let mut numbers = BTreeMap::new();
    for name in names {
        let value = Value::from(name.as_str());
        database.execute(
            "INSERT INTO conditions (perturbations) VALUES (?1) ON CONFLICT (perturbations) DO NOTHING",
            std::slice::from_ref(&value),
        )?;
        let number = only(database, "SELECT id FROM conditions WHERE perturbations = ?1", value)?;
        numbers.insert(name, number);
    }
    Ok(numbers)
}

/// The perturbations of a condition, their values left aside.
pub(crate) fn perturbations(condition: &Condition) -> String {
    let names: Vec<&str> = condition.0.keys().map(|perturbation| perturbation.name()).collect();
    names.join(",")
}

/// The numbers of tests, by name.
pub(crate) fn tests(
    database: &mut dyn Database,
    project: i64,
    names: BTreeSet<String>,
    seen: Timestamp,
) -> Result<BTreeMap<String, i64>, StoreError> {
    let select =
        format!("SELECT name, id FROM tests WHERE project_id = ?1 AND name IN ({})", places(2, CHUNK));
    let look_up = |database: &mut dyn Database, names: &[Value]| {
        let mut found = BTreeMap::new();
        for row in in_chunks(database, &select, Some(&project.into()), names)? {
            found.insert(row.text(0)?.to_owned(), row.integer(1)?);
        }
        Ok::<_, StoreError>(found)
    };
    let names: Vec<Value> = names.into_iter().map(Value::from).collect();
    let mut known = look_up(database, &names)?;
    let missing: Vec<Value> = names.into_iter().filter(|name| !is_key(&known, name)).collect();
    if missing.is_empty() {
        return Ok(known);
    }
    // In the order of names, as everywhere: two processes never deadlock.
    let rows: Vec<Vec<Value>> =
        missing.iter().map(|name| vec![project.into(), name.clone(), seen.into()]).collect();
    let insert = Insert {
        into: "INSERT INTO tests (project_id, name, first_seen)",
        on_conflict: "ON CONFLICT (project_id, name) DO NOTHING",
    };
    database.insert(&insert, &rows)?;
    known.append(&mut look_up(database, &missing)?);
    Ok(known)
}

/// The numbers of messages, by hash.
pub(crate) fn messages(
    database: &mut dyn Database,
    messages: &BTreeMap<Vec<u8>, String>,
) -> Result<BTreeMap<Vec<u8>, i64>, StoreError> {
    let select = format!("SELECT hash, id FROM messages WHERE hash IN ({})", places(1, CHUNK));
    let look_up = |database: &mut dyn Database, hashes: &[Value]| {
        let mut found = BTreeMap::new();
        for row in in_chunks(database, &select, None, hashes)? {
            found.insert(row.bytes(0)?.to_vec(), row.integer(1)?);
        }
        Ok::<_, StoreError>(found)
    };
    let hashes: Vec<Value> = messages.keys().cloned().map(Value::Bytes).collect();
    let mut known = look_up(database, &hashes)?;
    let missing: Vec<(&Vec<u8>, &String)> =
        messages.iter().filter(|(hash, _)| !known.contains_key(*hash)).collect();
    if missing.is_empty() {
        return Ok(known);
    }
    let rows: Vec<Vec<Value>> = missing
        .iter()
        .map(|(hash, body)| vec![Value::Bytes((*hash).clone()), body.as_str().into()])
        .collect();
    let insert =
        Insert { into: "INSERT INTO messages (hash, body)", on_conflict: "ON CONFLICT (hash) DO NOTHING" };
    database.insert(&insert, &rows)?;
    let hashes: Vec<Value> = missing.into_iter().map(|(hash, _)| Value::Bytes(hash.clone())).collect();
    known.append(&mut look_up(database, &hashes)?);
    Ok(known)
}

/// Asks for many values, a chunk at a time. The last chunk is filled up, so one prepared statement serves all.
pub(crate) fn in_chunks(
    database: &mut dyn Database,
    sql: &str,
    first: Option<&Value>,
    wanted: &[Value],
) -> Result<Vec<Row>, StoreError> {
    let mut rows = Vec::new();
    for chunk in wanted.chunks(CHUNK) {
        let filling = std::iter::repeat_n(&chunk[chunk.len() - 1], CHUNK - chunk.len());
        let values: Vec<Value> = first.into_iter().chain(chunk).chain(filling).cloned().collect();
        rows.append(&mut database.query(sql, &values)?);
    }
    Ok(rows)
}

fn is_key(known: &BTreeMap<String, i64>, name: &Value) -> bool {
    matches!(name, Value::Text(name) if known.contains_key(name))
}

fn only(database: &mut dyn Database, sql: &str, value: Value) -> Result<i64, StoreError> {
    let rows = database.query(sql, &[value])?;
    rows.first().ok_or(StoreError::Unreadable { column: 0, expected: "a number" })?.integer(0)
}
