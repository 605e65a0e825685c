//! The file that recorded and imported mappings are written to.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use steady_mock::mapping::Mapping;

use crate::error::UserError;

/// The mappings cannot be written.
#[derive(Debug, thiserror::Error)]
pub(super) enum WriteError {
    #[error("`{}` is there already", .0.display())]
    Exists(PathBuf),
    #[error("cannot write `{}`", path.display())]
    Write { path: PathBuf, source: io::Error },
}

impl UserError for WriteError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Exists(_) => Some("remove it, or give another folder with `--into DIR`".to_owned()),
            Self::Write { .. } => None,
        }
    }
}

/// The file for mappings of this name, which is not there yet; its folder is from now on.
pub(super) fn reserve(folder: &Path, name: &str) -> Result<PathBuf, WriteError> {
    let folder = folder.join("mappings");
    fs::create_dir_all(&folder).map_err(|source| WriteError::Write { path: folder.clone(), source })?;
    let path = folder.join(format!("{name}.json"));
    if path.exists() { Err(WriteError::Exists(path)) } else { Ok(path) }
}

/// Writes mappings; the file appears complete or not at all.
pub(super) fn write(path: &Path, mappings: &[Mapping]) -> Result<(), WriteError> {
    let failed = |source: io::Error| WriteError::Write { path: path.to_owned(), source };
    let text =
        serde_json::to_string_pretty(&serde_json::json!({ "mappings": mappings })).map_err(io::Error::from);
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    file.write_all(text.map_err(failed)?.as_bytes()).and_then(|()| file.write_all(b"\n")).map_err(failed)?;
    file.persist_noclobber(path).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => WriteError::Exists(path.to_owned()),
        _ => failed(error.error),
    })?;
    Ok(())
}
