//! Classifies errors of PostgreSQL.

use std::error::Error as _;

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::StoreError;

/// An error on an open connection.
pub(super) fn explain(error: Error, place: String) -> StoreError {
    if error.is_closed() {
        return StoreError::Lost { place, source: error };
    }
    let Some(answer) = error.as_db_error() else { return StoreError::Postgres { place, source: error } };
    let detail = answer.message().to_owned();
    let code = answer.code();
    if [SqlState::T_R_DEADLOCK_DETECTED, SqlState::T_R_SERIALIZATION_FAILURE].contains(code) {
        StoreError::Conflict { place }
    } else if [SqlState::DISK_FULL, SqlState::OUT_OF_MEMORY].contains(code) {
        StoreError::Full { place }
    } else if *code == SqlState::READ_ONLY_SQL_TRANSACTION {
        StoreError::ReadOnly { place }
    } else if *code == SqlState::INSUFFICIENT_PRIVILEGE {
        StoreError::Denied { place, detail }
    } else if [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN].contains(code) {
        StoreError::Lost { place, source: error }
    } else {
        StoreError::Postgres { place, source: error }
    }
}

/// An error while connecting.
pub(super) fn explain_connecting(error: Error, place: String) -> StoreError {
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    match error.code() {
        Some(code) if *code == SqlState::INVALID_CATALOG_NAME => StoreError::NoDatabase { place },
        // Class 28: invalid authorisation.
        Some(code) if code.code().starts_with("28") => {
            let detail = error.as_db_error().map_or(cause, |answer| answer.message().to_owned());
            StoreError::Login { place, detail }
        }
        Some(_) => explain(error, place),
        // The kind of an error shows only in its text.
        None => match error.to_string().as_str() {
            "error performing TLS handshake" => StoreError::Tls { place, detail: cause },
            "invalid configuration" | "authentication error" => StoreError::Login { place, detail: cause },
            _ => StoreError::Unreachable { place, source: error },
        },
    }
}
