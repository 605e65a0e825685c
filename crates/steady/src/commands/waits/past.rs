//! The past of folders of tests.

use std::path::Path;

use jiff::Timestamp;
use steady_history::{Limits, Past, Repository, past, past_cached};
use steady_waits::locate::past_query;

use crate::config::StoreConfig;
use crate::error::on_one_line;
use crate::session::Session;
use crate::store;

/// The repository around a folder, if there is one.
pub(super) fn repository(folder: &Path, session: &Session) -> Option<Repository> {
    match Repository::find(folder) {
        Ok(repository) => repository,
        Err(error) => {
            session.warn(format!("the history is not used: {}", on_one_line(&error)));
            None
        }
    }
}

/// Whether a store that does not exist is created to cache the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Remember {
    /// The store is made.
    Always,
    /// A command that only reads creates nothing.
    IfStoreExists,
}

/// The past of a folder, given relative to the repository; cached in the store where that is possible.
pub(super) fn read_past(
    repository: &Repository,
    folder: &Path,
    limits: Limits,
    config: &StoreConfig,
    remember: Remember,
    session: &Session,
) -> Option<Past> {
    let query = past_query(folder, limits);
    let here = Path::new(".");
    let is_remembered = remember == Remember::Always || store::is_there(config, here);
    let read = match is_remembered.then(|| store::open(config, here)).transpose() {
        Ok(None) => past(repository, &query),
        Ok(Some(mut store)) => past_cached(repository, &query, &mut store.git_cache(Timestamp::now())),
        Err(error) => {
            session.note(format!("the history is not cached: {}", on_one_line(&error)));
            past(repository, &query)
        }
    };
    match read {
        Ok(past) => Some(past),
        Err(error) => {
            session.warn(format!("the history is not used: {}", on_one_line(&error)));
            None
        }
    }
}
