//! Reads what shards wrote.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use steady_model::{Envelope, Event};

use super::Kind;
use crate::error::{CommandError, ReadError, UserError};
use crate::malformed;
use crate::session::EVENTS_FILE;

/// A file of a shard is not what it should be.
#[derive(Debug, thiserror::Error)]
#[error("`{}` is not what `steady {}` writes: {message}", path.display(), kind.command())]
struct MalformedError {
    kind: Kind,
    path: PathBuf,
    message: String,
}

impl MalformedError {
    fn new(kind: Kind, path: &Path, error: &serde_json::Error) -> Self {
        Self { kind, path: path.to_owned(), message: malformed::plain(&error.to_string(), malformed::OBJECT) }
    }
}

impl UserError for MalformedError {
    fn hint(&self) -> Option<String> {
        let command = self.kind.command();
        Some(format!("give the folders that `steady {command} --out DIR` wrote; did the run finish?"))
    }
}

/// Reads a file of a shard.
pub(super) fn json<T: DeserializeOwned>(
    kind: Kind,
    path: &Path,
    what: &'static str,
) -> Result<T, CommandError> {
    let bytes = fs::read(path).map_err(|source| ReadError { what, path: path.to_owned(), source })?;
    Ok(serde_json::from_slice(&bytes).map_err(|error| MalformedError::new(kind, path, &error))?)
}

/// Hands on the events of a shard, in order.
pub(super) fn events(kind: Kind, folder: &Path, mut on_event: impl FnMut(Event)) -> Result<(), CommandError> {
    let path = folder.join(EVENTS_FILE);
    let unreadable = |source| ReadError { what: "the events", path: path.clone(), source };
    for line in BufReader::new(File::open(&path).map_err(unreadable)?).lines() {
        let line = line.map_err(unreadable)?;
        let envelope: Envelope =
            serde_json::from_str(&line).map_err(|error| MalformedError::new(kind, &path, &error))?;
        on_event(envelope.event);
    }
    Ok(())
}
