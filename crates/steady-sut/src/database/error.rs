//! What can go wrong with the API's database.

use std::time::Duration;

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

/// The API's database cannot be saved or restored.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "`place` is the address without the password; the rest is in the messages")]
pub enum DatabaseError {
    /// Its address is invalid.
    #[error("the address of the API's database cannot be used: {detail}")]
    Address { detail: String },
    /// It does not answer, or refuses the connection.
    #[error("cannot connect to the API's database at {place}")]
    Unreachable { place: String, source: Error },
    /// It returns an error.
    #[error("cannot {action} the contents of the API's database at {place}")]
    Failed { action: &'static str, place: String, source: Error },
    /// It is larger than steady keeps in memory.
    #[error("the API's database at {place} holds more than {} MB, too much to save", limit >> 20)]
    TooLarge { place: String, limit: usize },
    /// It exceeds the time limit.
    #[error("it took longer than {limit:?} to {action} the API's database at {place}")]
    TooSlow { action: &'static str, place: String, limit: Duration },
}

impl DatabaseError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        let hint = match self {
            Self::Address { .. } => {
                "write `url = \"postgres://user:password@host:port/database\"` under [sut.database]"
            }
            Self::Unreachable { .. } => "is the server running, and are user, password and database right?",
            Self::Failed { source, .. } if source.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => {
                "a connection holds a lock: does the API leave a transaction open after an answer?"
            }
            Self::Failed { source, .. } if source.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
                "give the user that owns the tables, or a superuser"
            }
            Self::Failed { .. } => {
                "did tables change since the API was first ready? Otherwise `reset = \"restart\"` or a command helps"
            }
            Self::TooLarge { .. } | Self::TooSlow { .. } => {
                "start from a smaller database, or reset it by a command: `reset = \"./reset.sh\"`"
            }
        };
        hint.to_owned()
    }
}
