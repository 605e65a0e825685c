//! The output folder: checked before a run, locked during it, and never left with half a file.
//!
//! steady owns what it wrote there and nothing else (`manifest.rs`): a user's files stay, and one in the way is an error. A result
//! is placed as a whole ([`OutputFolder::place`]); a run that was cut short does not replace a complete result, but is placed
//! beside it, in [`LAST_RUN`].

mod error;
mod manifest;
mod unfinished;

pub use error::OutputError;
pub use manifest::Result as Placed;
pub use unfinished::UnfinishedFile;

use std::cell::RefCell;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use manifest::{MANIFEST, Manifest, Owner};
use unfinished::UNFINISHED;

const LOCK_FILE: &str = ".steady.lock";
/// Where a result goes that does not take the place of an earlier one.
pub const LAST_RUN: &str = "last-run";
/// The kind of result the event stream is: every command writes one.
const EVENTS: &str = "events";

/// A folder this process alone writes into.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
    lock: File,
    created: bool,
    manifest: RefCell<Manifest>,
    /// The subfolder results go to, once it is decided that they go beside an earlier one.
    beside: Arc<OnceLock<&'static str>>,
}

impl OutputFolder {
    /// Makes the folder if need be, takes its lock, and clears away what a killed run left.
    pub fn open(path: &Path) -> Result<Self, OutputError> {
        let write = |source| OutputError::Write { path: path.to_owned(), source };
        let created = !path.exists();
        if !created && !path.is_dir() {
            return Err(OutputError::NotAFolder { path: path.to_owned() });
        }
        fs::create_dir_all(path).map_err(write)?;
        let lock_path = path.join(LOCK_FILE);
        let lock =
            File::options().create(true).truncate(false).write(true).open(&lock_path).map_err(write)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(OutputError::Locked { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => return Err(write(source)),
        }
        let manifest = RefCell::new(Manifest::load(path)?);
        let folder = Self { path: path.to_owned(), lock, created, manifest, beside: Arc::default() };
        folder.clear_unfinished().map_err(write)?;
        Ok(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where results go: the folder itself, or [`LAST_RUN`] in it.
    pub fn place_of_results(&self) -> PathBuf {
        self.beside.get().map_or_else(|| self.path.clone(), |beside| self.path.join(beside))
    }

    /// Fails when a file that steady did not write has one of these names: better before a run than after it.
    pub fn check<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Result<(), OutputError> {
        for name in names {
            self.owner(&self.placed_name(name))?;
        }
        Ok(())
    }

    /// Whether an earlier result is worth more than this one: it was complete, or both were cut short and it has more tests.
    pub fn prefers_earlier(&self, of: &str, result: Placed) -> bool {
        let earlier = self.manifest.borrow().results.get(of).copied();
        earlier.is_some_and(|earlier| !result.complete && (earlier.complete || result.tests < earlier.tests))
    }

    /// Keeps the earlier result: what is placed from now on goes beside it.
    pub fn keep_earlier(&self) {
        self.beside.get_or_init(|| LAST_RUN);
    }

    /// A file that is written bit by bit and appears when [`UnfinishedFile::finish`] is called.
    pub fn begin(&self, name: &'static str) -> Result<UnfinishedFile, OutputError> {
        checked(name)?;
        self.check([name])?;
        UnfinishedFile::create_in(&self.path, self.path.join(name))
            .map(|file| file.beside(&self.beside, name))
    }

    /// Notes that a file made with [`OutputFolder::begin`] is steady's; it may be too large to be read again.
    pub fn note_stream(&self, name: &str) -> Result<(), OutputError> {
        self.manifest.borrow_mut().confirm_stream(&self.placed_name(EVENTS), &self.placed_name(name));
        self.save()
    }

    /// Says that files of these names and contents are steady's, where no list says so.
    pub fn adopt<'a>(&self, of: &str, files: impl IntoIterator<Item = (&'a str, &'a [u8])>) {
        let mut manifest = self.manifest.borrow_mut();
        for (name, bytes) in files {
            manifest.expect(of, &self.placed_name(name), bytes);
        }
    }

    /// Writes a result: all its files appear, and files of the earlier result that have no successor go. Yields the
    /// names under which files are kept that somebody edited since steady wrote them.
    pub fn place(
        &self,
        of: &str,
        files: &[(String, Vec<u8>)],
        result: Placed,
    ) -> Result<Vec<PathBuf>, OutputError> {
        let of = self.placed_name(of);
        let names: Vec<String> = files.iter().map(|(name, _)| self.placed_name(name)).collect();
        let owners = names.iter().map(|name| self.owner(name)).collect::<Result<Vec<_>, _>>()?;
        // All bytes are on the disk before the first file moves: a full disk leaves the earlier result as it was.
        let staged = self.stage(files)?;
        self.note(&of, &names, files, Manifest::expect)?;
        let mut kept = Vec::new();
        for (index, (name, owner)) in names.iter().zip(owners).enumerate() {
            let target = self.path.join(name);
            let write = |source| OutputError::Write { path: target.clone(), source };
            if owner == Owner::Edited {
                kept.push(set_aside(&target).map_err(write)?);
            }
            if let Some(parent) = target.parent() {
                fs::create_dir_all(parent).map_err(write)?;
            }
            fs::rename(staged.path().join(index.to_string()), &target).map_err(write)?;
        }
        self.remove_stale(&of, &names)?;
        self.manifest.borrow_mut().results.insert(of.clone(), result);
        if result.complete && self.beside.get().is_none() {
            self.remove_stale(&format!("{LAST_RUN}/{of}"), &[])?;
            self.remove_stale(&format!("{LAST_RUN}/{EVENTS}"), &[])?;
        }
        self.note(&of, &names, files, Manifest::confirm)?;
        Ok(kept)
    }

    fn note(
        &self,
        of: &str,
        names: &[String],
        files: &[(String, Vec<u8>)],
        how: fn(&mut Manifest, &str, &str, &[u8]),
    ) -> Result<(), OutputError> {
        for (name, (_, bytes)) in names.iter().zip(files) {
            how(&mut self.manifest.borrow_mut(), of, name, bytes);
        }
        self.save()
    }

    /// Whose a file is; a stranger's is in the way.
    fn owner(&self, name: &str) -> Result<Owner, OutputError> {
        let path = self.path.join(checked(name)?);
        match self.manifest.borrow().owner(&self.path, name) {
            Ok(Owner::Stranger) => Err(OutputError::Clash { path, saved: None }),
            Ok(owner) => Ok(owner),
            Err(source) => Err(OutputError::Write { path, source }),
        }
    }

    /// A file's path in the folder, or a result's name, with the subfolder it goes to.
    fn placed_name(&self, name: &str) -> String {
        self.beside.get().map_or_else(|| name.to_owned(), |beside| format!("{beside}/{name}"))
    }

    fn stage(&self, files: &[(String, Vec<u8>)]) -> Result<tempfile::TempDir, OutputError> {
        let write = |source: io::Error| {
            let source = source.kind().into();
            OutputError::Write { path: self.path.clone(), source }
        };
        let staged = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(&self.path).map_err(write)?;
        for (index, (name, bytes)) in files.iter().enumerate() {
            fs::write(staged.path().join(index.to_string()), bytes).map_err(|source| {
                let source = source.kind().into();
                OutputError::Write { path: self.path.join(name), source }
            })?;
        }
        Ok(staged)
    }

    /// Removes the files of a result that are not among `names`, and folders that are empty then.
    fn remove_stale(&self, of: &str, names: &[String]) -> Result<(), OutputError> {
        let known = self.manifest.borrow().files_of(of);
        for name in known.into_iter().filter(|name| !names.contains(name)) {
            let path = self.path.join(&name);
            let write = |source| OutputError::Write { path: path.clone(), source };
            let owner = self.manifest.borrow().owner(&self.path, &name).map_err(write)?;
            // What somebody edited is theirs from now on.
            if owner == Owner::Steady {
                fs::remove_file(&path).map_err(write)?;
                self.remove_empty_parents(&path);
            }
            self.manifest.borrow_mut().forget(&name);
        }
        self.manifest.borrow_mut().results.remove(of);
        Ok(())
    }

    fn remove_empty_parents(&self, path: &Path) {
        let inner = path.ancestors().skip(1).take_while(|parent| *parent != self.path);
        for parent in inner {
            // Fails when something is in it, and then so do its parents.
            if fs::remove_dir(parent).is_err() {
                return;
            }
        }
    }

    fn save(&self) -> Result<(), OutputError> {
        let target = self.path.join(MANIFEST);
        let mut file = UnfinishedFile::create_in(&self.path, target.clone())?;
        file.write_all(&self.manifest.borrow().to_json())
            .map_err(|source| OutputError::Write { path: target, source })?;
        file.finish()
    }

    fn clear_unfinished(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
                if entry.file_type()?.is_dir() {
                    fs::remove_dir_all(entry.path())?;
                } else {
                    fs::remove_file(entry.path())?;
                }
            }
        }
        Ok(())
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        // Removed before it is unlocked: another steady must not wait on a file that is gone.
        let _ = fs::remove_file(self.path.join(LOCK_FILE));
        let _ = self.lock.unlock();
        if self.created {
            // Succeeds only when the run wrote nothing.
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// The warning for a file that was edited since steady wrote it.
pub fn edited_warning(kept: &Path) -> String {
    format!("a file was edited since steady wrote it; your version is kept as `{}`", kept.display())
}

/// Gives a file another name beside its own that nothing has yet.
fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let suffixes =
        (1_u32..).map(|count| if count == 1 { ".orig".to_owned() } else { format!(".orig{count}") });
    for suffix in suffixes {
        let other = path.with_file_name(format!("{name}{suffix}"));
        if fs::symlink_metadata(&other).is_err() {
            fs::rename(path, &other)?;
            return Ok(other);
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Names come from emitters and are joined to the folder, so they may not climb out of it.
fn checked(name: &str) -> Result<&Path, OutputError> {
    let path = Path::new(name);
    let inside = path.components().all(|component| matches!(component, Component::Normal(_)));
    if inside && path.components().next().is_some() {
        Ok(path)
    } else {
        Err(OutputError::Outside { path: name.to_owned() })
    }
}

#[cfg(test)]
mod tests;
