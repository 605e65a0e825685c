//! Ends the processes and removes the folders that a killed steady left.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::ledger::{EXTENSION, Entry, LedgerError, remove_tree, temp_prefix};
use crate::owner::Owner;

/// An entry is a few lines; a larger file is not an entry.
const LARGEST_ENTRY: u64 = 1024 * 1024;
const GRACE: Duration = Duration::from_secs(2);

/// What a clean-up did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CleanedUp {
    /// How many killed owners had left something.
    pub owners: usize,
    /// Names of the processes that were ended.
    pub processes: Vec<String>,
    /// Temporary folders that were removed.
    pub folders: Vec<PathBuf>,
}

/// Cleans up after the dead owners in the ledger's folder: ends their processes, found by the mark in their environment
/// or by id and start time, and removes their temporary folders. Living owners are not touched.
pub fn clean_up(folder: &Path) -> Result<CleanedUp, LedgerError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(CleanedUp::default()),
        entries => {
            entries.map_err(|source| LedgerError { action: "read", path: folder.to_owned(), source })?
        }
    };
    let mut done = CleanedUp::default();
    for path in entries.flatten().map(|entry| entry.path()) {
        let Some((owner, mut file)) = dead_owner(&path) else { continue };
        done.owners += 1;
        let entry = entry(&mut file);
        end_processes(&owner, &entry.unmarked, &mut done);
        for parent in entry.parents {
            remove_folders(&parent, &owner, &mut done);
        }
        // Last: if this process is killed before, the next one starts over.
        fs::remove_file(&path).map_err(|source| LedgerError {
            action: "remove",
            path: path.clone(),
            source,
        })?;
    }
    Ok(done)
}

/// The owner of an entry, if it is dead, and the locked entry: two clean-ups do not interfere.
fn dead_owner(path: &Path) -> Option<(Owner, File)> {
    let name = path.file_name()?.to_str()?.strip_suffix(EXTENSION)?.strip_suffix('.')?;
    let (owner, number) = name.split_once('.')?;
    let owner = Owner::parse(owner).filter(|_| number.parse::<u64>().is_ok())?;
    let file = File::options().read(true).write(true).open(path).ok()?;
    let held = matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock));
    (!held && !owner.is_alive()).then_some((owner, file))
}

/// An unreadable entry names no folders.
fn entry(file: &mut File) -> Entry {
    let mut text = Vec::new();
    let read = file.take(LARGEST_ENTRY).read_to_end(&mut text);
    read.ok().and_then(|_| serde_json::from_slice(&text).ok()).unwrap_or_default()
}

fn remove_folders(parent: &Path, owner: &Owner, done: &mut CleanedUp) {
    let prefix = temp_prefix(owner);
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(&prefix));
        if ours && remove_tree(&entry.path()) {
            done.folders.push(entry.path());
        }
    }
}

#[cfg(target_os = "linux")]
fn end_processes(owner: &Owner, unmarked: &BTreeSet<(i32, u64)>, done: &mut CleanedUp) {
    use crate::ending::end_all;
    use crate::processes::{Process, all};

    let pid = i32::try_from(std::process::id()).unwrap_or(0);
    let above = |process: &Process| Process::read(process.parent);
    // This process may itself be a leftover of that owner.
    let own: Vec<i32> = std::iter::successors(Process::read(pid), above).map(|process| process.pid).collect();
    let survey = || {
        let processes = all().into_iter().filter(|pid| !own.contains(pid)).filter_map(Process::read);
        let processes = processes.filter(Process::is_alive);
        let is_noted =
            |process: &Process| owner.is_of_this_boot() && unmarked.contains(&(process.pid, process.start));
        let is_marked = |process: &Process| process.mark().is_some_and(|mark| owner.marked(&mark));
        processes.filter(|process| is_noted(process) || is_marked(process)).collect::<Vec<_>>()
    };
    done.processes.extend(survey().into_iter().map(|process| process.name));
    end_all(survey, None, GRACE);
}

/// Without `/proc`, the environment of other processes cannot be read.
#[cfg(not(target_os = "linux"))]
fn end_processes(_owner: &Owner, _unmarked: &BTreeSet<(i32, u64)>, _done: &mut CleanedUp) {
    let _ = GRACE;
}
