//! The entry a process keeps on disk so that a later process can clean up after it.
//!
//! While steady runs, a file in the ledger's folder (`.steady/running/`) carries its name. It lists the folders in which it made
//! temporary ones, and the processes it started that do not carry its mark. The file stays locked as long as its owner lives, and is removed at a normal end;
//! [`clean_up`](crate::clean_up()) reads the others.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::owner::Owner;
use crate::running::Running;

/// The extension of an entry.
pub(crate) const EXTENSION: &str = "json";

/// The ledger or a folder it names cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} `{}`; is the folder writable and the disk not full?", path.display())]
pub struct LedgerError {
    /// What was tried.
    pub action: &'static str,
    /// On which file or folder.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// The content of an entry.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) version: u32,
    /// Folders in which the owner made temporary folders.
    #[serde(default)]
    pub(crate) parents: BTreeSet<PathBuf>,
    /// Processes without the owner's mark in their environment, by id and start time.
    #[serde(default)]
    pub(crate) unmarked: BTreeSet<(i32, u64)>,
}

/// This process's entry. Open it before the first command is started; clones share it, the last one removes it.
#[derive(Debug, Clone)]
pub struct Ledger {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    path: PathBuf,
    /// Locked as long as it is open.
    file: File,
    entry: Mutex<Entry>,
}

impl Ledger {
    /// Makes the folder where needed and the entry of this process in it.
    pub fn open(folder: &Path) -> Result<Self, LedgerError> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let failed = |action| move |source| LedgerError { action, path: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(failed("create"))?;
        // It has another name until it is locked: an unlocked entry in the ledger has no owner any more.
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}.{number}", Owner::this().as_str());
        let hidden = folder.join(format!(".{name}"));
        let path = folder.join(format!("{name}.{EXTENSION}"));
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(&hidden)
            .map_err(failed("write in"))?;
        // Where files cannot be locked, the owner's process id and start time identify it.
        let _ = file.lock();
        let shared = Shared { path, file, entry: Mutex::new(Entry { version: 1, ..Entry::default() }) };
        let written = shared.write(&shared.lock()).and_then(|()| fs::rename(&hidden, &shared.path));
        if let Err(error) = written {
            let _ = fs::remove_file(&hidden);
            return Err(failed("write in")(error));
        }
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Records the processes of a command that cleared their environment: after this process is killed, nothing else identifies
    /// them. To be called when a server, including its daemons, has started.
    pub fn note_processes(&self, running: &Running) -> Result<(), LedgerError> {
        let mut entry = self.shared.lock();
        let known = entry.unmarked.len();
        entry.unmarked.extend(running.unmarked());
        if entry.unmarked.len() == known {
            return Ok(());
        }
        self.shared.write(&entry).map_err(|source| LedgerError {
            action: "write",
            path: self.shared.path.clone(),
            source,
        })
    }

    /// A new empty folder in `parent`. It is removed when the value is dropped, or by the next clean-up.
    pub fn temp_folder(&self, parent: &Path) -> Result<TempFolder, LedgerError> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let parent = std::path::absolute(parent).unwrap_or_else(|_| parent.to_owned());
        let mut entry = self.shared.lock();
        if entry.parents.insert(parent.clone()) {
            self.shared.write(&entry).map_err(|source| LedgerError {
                action: "write",
                path: self.shared.path.clone(),
                source,
            })?;
        }
        drop(entry);
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("{}{number}", temp_prefix(Owner::this())));
        fs::create_dir_all(&path).map_err(|source| LedgerError {
            action: "create",
            path: path.clone(),
            source,
        })?;
        Ok(TempFolder { path, _ledger: self.clone() })
    }
}

/// The prefix of an owner's temporary folders. Clean-up removes nothing else, even if an entry names it.
pub(crate) fn temp_prefix(owner: &Owner) -> String {
    format!("steady-{}-", owner.as_str())
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, Entry> {
        self.entry.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Entries only grow, so one write replaces what was there.
    fn write(&self, entry: &Entry) -> io::Result<()> {
        self.file.write_all_at(&serde_json::to_vec(entry)?, 0)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // If it cannot be removed, the next clean-up finds nothing to do and tries again.
        let _ = fs::remove_file(&self.path);
    }
}

/// A temporary folder, removed when dropped. The entry in the ledger lives at least as long.
#[derive(Debug)]
pub struct TempFolder {
    path: PathBuf,
    _ledger: Ledger,
}

impl TempFolder {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        remove_tree(&self.path);
    }
}

/// Removes a folder with its content, also where a test removed write permissions. What cannot be removed stays.
pub(crate) fn remove_tree(folder: &Path) -> bool {
    if fs::remove_dir_all(folder).is_ok() {
        return true;
    }
    make_writable(folder);
    fs::remove_dir_all(folder).is_ok()
}

fn make_writable(folder: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            make_writable(&entry.path());
        }
    }
}
