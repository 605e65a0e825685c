//! Which files of an output folder steady wrote: `.steady-files.json`.
//!
//! A file that is not on the list belongs to somebody else and is never touched. A file on the list whose content is not what
//! steady wrote was edited; it is kept under another name before a new one takes its place.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::error::OutputError;

/// The file the list is in.
pub(super) const MANIFEST: &str = ".steady-files.json";

/// The list, as it is in the file.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// The format's version.
    version: u32,
    /// What is known of each kind of result.
    pub results: BTreeMap<String, Result>,
    /// The files, by their path in the folder.
    files: BTreeMap<String, Entry>,
}

/// What is known of a result as a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Result {
    /// Whether the run that wrote it came to its end.
    pub complete: bool,
    /// How many tests it holds.
    pub tests: usize,
}

/// One file.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Entry {
    /// Which result it is part of: `fuzz`, `rerun`.
    of: String,
    /// Digests of what steady wrote; none for a stream, which is not read again. Two while the file is being replaced: a killed run may leave either.
    digests: BTreeSet<String>,
}

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// There is none.
    Nobody,
    /// As steady wrote it.
    Steady,
    /// Written by steady, edited since.
    Edited,
    /// Somebody else's.
    Stranger,
}

impl Manifest {
    /// Reads the list of a folder; it is empty where there is none.
    pub fn load(folder: &Path) -> std::result::Result<Self, OutputError> {
        let path = folder.join(MANIFEST);
        match fs::read(&path) {
            Ok(bytes) => {
                serde_json::from_slice(&bytes).map_err(|source| OutputError::Manifest { path, source })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Self { version: 1, ..Self::default() })
            }
            Err(source) => Err(OutputError::Write { path, source }),
        }
    }

    /// The list as text.
    pub fn to_json(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }

    /// Whose the file of this name is.
    pub fn owner(&self, folder: &Path, name: &str) -> io::Result<Owner> {
        let path = folder.join(name);
        let Ok(found) = fs::symlink_metadata(&path) else { return Ok(Owner::Nobody) };
        let Some(entry) = self.files.get(name) else { return Ok(Owner::Stranger) };
        if !found.is_file() {
            return Ok(Owner::Stranger);
        }
        let is_known = entry.digests.is_empty() || entry.digests.contains(&digest(&fs::read(&path)?));
        Ok(if is_known { Owner::Steady } else { Owner::Edited })
    }

    /// Notes what will be written, beside what may still be there.
    pub fn expect(&mut self, of: &str, name: &str, bytes: &[u8]) {
        let entry = self.files.entry(name.to_owned()).or_default();
        of.clone_into(&mut entry.of);
        entry.digests.insert(digest(bytes));
    }

    /// Notes what was written.
    pub fn confirm(&mut self, of: &str, name: &str, bytes: &[u8]) {
        let entry = Entry { of: of.to_owned(), digests: BTreeSet::from([digest(bytes)]) };
        self.files.insert(name.to_owned(), entry);
    }

    /// Notes that a file is steady's whatever it holds.
    pub fn confirm_stream(&mut self, of: &str, name: &str) {
        self.files.insert(name.to_owned(), Entry { of: of.to_owned(), digests: BTreeSet::new() });
    }

    /// The files of a result.
    pub fn files_of(&self, of: &str) -> Vec<String> {
        let own = self.files.iter().filter(|(_, entry)| entry.of == of);
        own.map(|(name, _)| name.clone()).collect()
    }

    /// Takes a file off the list.
    pub fn forget(&mut self, name: &str) {
        self.files.remove(name);
    }
}

fn digest(bytes: &[u8]) -> String {
    format!("{:032x}", xxh3_128(bytes))
}
