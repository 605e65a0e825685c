//! Migrates a database to the current schema, one numbered step after the other.
//!
//! A step that was released never changes; what comes later is a new file in `migrations/`.

use crate::StoreError;
use crate::database::{Access, Database, transaction};

const STEPS: [&str; 4] = [
    include_str!("../migrations/0001_results.sql"),
    include_str!("../migrations/0002_flips.sql"),
    include_str!("../migrations/0003_cache.sql"),
    include_str!("../migrations/0004_failing_days.sql"),
];

/// The newest schema of this version.
pub(crate) const NEWEST: i64 = STEPS.len() as i64;

/// Migrates the database; refuses one with a newer schema and leaves it as it is.
pub(crate) fn migrate(database: &mut dyn Database) -> Result<(), StoreError> {
    if missing(database)? == 0 {
        return Ok(());
    }
    // All steps or none; a second process finds nothing left to do.
    transaction(database, Access::Alone, |database| {
        let first = STEPS.len() - missing(database)?;
        if first == STEPS.len() {
            return Ok(());
        }
        let words = database.dialect();
        for step in &STEPS[first..] {
            database.script(&step.replace("{key}", words.key).replace("{clustered}", words.clustered))?;
        }
        database.set_schema(NEWEST)
    })
}

/// How many steps are left.
fn missing(database: &mut dyn Database) -> Result<usize, StoreError> {
    let found = database.schema()?;
    match usize::try_from(NEWEST - found) {
        Ok(missing) if missing <= STEPS.len() => Ok(missing),
        _ => Err(StoreError::Newer { place: database.place().to_owned(), found, known: NEWEST }),
    }
}
