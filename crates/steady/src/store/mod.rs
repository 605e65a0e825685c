//! The store of runs: a reporter that writes into it, and how it is found.

mod reporter;
mod session;

use std::fs;
use std::path::Path;

use steady_exec::keep_out_of_git;
use steady_store::{Retention, Store, StoreError, StoreLocation};

pub use reporter::StoreReporter;
pub use session::{describe, project_name};

use crate::config::StoreConfig;
use crate::error::{CommandError, UsageError, UserError};
use crate::sut::STATE;

/// Opens the store of the project in `folder`.
pub fn open(config: &StoreConfig, folder: &Path) -> Result<Store, StoreError> {
    if config.url.is_none() {
        let state = folder.join(STATE);
        // The store reports a folder that cannot be made.
        let _ = fs::create_dir_all(&state).and_then(|()| keep_out_of_git(&state));
    }
    Store::open(&location(config, folder)?)
}

/// Whether the project in `folder` has a store.
pub fn is_there(config: &StoreConfig, folder: &Path) -> bool {
    match location(config, folder) {
        Ok(StoreLocation::File(path)) => path.exists(),
        Ok(_) => true,
        Err(_) => false,
    }
}

fn location(config: &StoreConfig, folder: &Path) -> Result<StoreLocation, StoreError> {
    match &config.url {
        Some(url) => StoreLocation::parse(url, folder),
        None => Ok(StoreLocation::default_in(folder)),
    }
}

/// The same, for reading: a store that is not there yet is an error.
pub fn open_existing(config: &StoreConfig, folder: &Path) -> Result<Store, CommandError> {
    let location = location(config, folder)?;
    if let StoreLocation::File(path) = &location
        && !path.exists()
    {
        return Err(UsageError {
            message: format!("nothing is stored yet: there is no `{}`", path.display()),
            hint: "run `steady rerun -- CMD` first, or name another store under [store] in steady.toml"
                .to_owned(),
        }
        .into());
    }
    Ok(Store::open(&location)?)
}

/// What the store forgets, as `[store]` says.
pub fn retention(config: &StoreConfig) -> Retention {
    let mut retention = Retention::default();
    if let Some(keep) = config.keep {
        retention.max_age = Some(keep.0);
    }
    if let Some(size) = config.max_size {
        retention.max_bytes = Some(size.0 as u64);
    }
    retention
}

impl UserError for StoreError {}
