//! The past of folders of tests.

use std::path::Path;

use jiff::Timestamp;
use steady_history::{Limits, Past, Repository, past, past_cached};
use steady_waits::locate::past_query;

use crate::config::StoreConfig;
use crate::store;
use crate::voice::Voice;

/// The repository around a folder, if there is one.
pub(super) fn repository(folder: &Path, voice: &mut Voice) -> Option<Repository> {
    match Repository::find(folder) {
        Ok(repository) => repository,
        Err(error) => {
            voice.warn(format!("history does not count: {}", explained(&error)));
            None
        }
    }
}

/// The past of a folder, given relative to the repository; remembered in the store where that is possible.
pub(super) fn read_past(
    repository: &Repository,
    folder: &Path,
    limits: Limits,
    config: &StoreConfig,
    voice: &mut Voice,
) -> Option<Past> {
    let query = past_query(folder, limits);
    let read = match store::open(config, Path::new(".")) {
        Ok(mut store) => past_cached(repository, &query, &mut store.git_cache(Timestamp::now())),
        Err(error) => {
            voice.note(format!("history is not remembered: {}", store::explained(&error)));
            past(repository, &query)
        }
    };
    match read {
        Ok(past) => Some(past),
        Err(error) => {
            voice.warn(format!("history does not count: {}", explained(&error)));
            None
        }
    }
}

fn explained(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(cause) => format!("{error} ({cause})"),
        None => error.to_string(),
    }
}
