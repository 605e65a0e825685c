//! The output folder: checked before a run, locked during it, and never left with half a file.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use tempfile::{NamedTempFile, TempDir};

use crate::error::UserError;

const LOCK_FILE: &str = ".steady.lock";
/// What unfinished files and folders begin with; the next run removes those that a killed one left.
const UNFINISHED: &str = ".steady-unfinished-";

/// The output folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// Something that is no folder stands there.
    #[error("the output folder `{}` is not a folder", path.display())]
    NotAFolder {
        /// The folder.
        path: PathBuf,
    },
    /// Another steady works in it.
    #[error("another steady is writing into `{}`", path.display())]
    Locked {
        /// The folder.
        path: PathBuf,
    },
    /// It cannot be written to.
    #[error("cannot write to `{}`", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file would lie outside of the folder.
    #[error("`{path}` does not lie in the output folder")]
    Outside {
        /// The path asked for.
        path: String,
    },
}

impl UserError for OutputError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NotAFolder { .. } => "name another folder with `--out DIR`".to_owned(),
            Self::Locked { .. } => "wait for it to end, or name another folder with `--out DIR`".to_owned(),
            Self::Write { source, .. } if source.kind() == io::ErrorKind::StorageFull => {
                "free some space, or name a folder on another disk with `--out DIR`".to_owned()
            }
            Self::Write { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                "make the folder first, or name another place".to_owned()
            }
            Self::Write { .. } => "make the place writable, or name another one".to_owned(),
            Self::Outside { .. } => return None,
        })
    }
}

/// A folder this process alone writes into.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
    lock: File,
    created: bool,
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
        let folder = Self { path: path.to_owned(), lock, created };
        folder.clear_unfinished().map_err(write)?;
        Ok(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file; it appears complete or not at all, in place of an earlier one.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), OutputError> {
        let mut file = self.unfinished_file()?;
        let target = self.path.join(checked(name)?);
        let write = |source| OutputError::Write { path: target.clone(), source };
        file.write_all(bytes).map_err(write)?;
        finish(file, &target)
    }

    /// A file that is written bit by bit and appears when [`UnfinishedFile::finish`] is called.
    pub fn begin(&self, name: &str) -> Result<UnfinishedFile, OutputError> {
        let target = self.path.join(checked(name)?);
        Ok(UnfinishedFile { file: self.unfinished_file()?, target })
    }

    /// Replaces a whole subfolder, so that nothing of an earlier run stays between the new files.
    pub fn replace_folder<'a>(
        &self,
        name: &str,
        files: impl IntoIterator<Item = (&'a str, &'a [u8])>,
    ) -> Result<(), OutputError> {
        let target = self.path.join(checked(name)?);
        let write = |source| OutputError::Write { path: target.clone(), source };
        let fresh = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(&self.path).map_err(write)?;
        for (relative, bytes) in files {
            let path = fresh.path().join(checked(relative)?);
            let write = |source| OutputError::Write { path: target.join(relative), source };
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(write)?;
            }
            fs::write(&path, bytes).map_err(write)?;
        }
        self.swap(fresh, &target).map_err(write)
    }

    fn swap(&self, fresh: TempDir, target: &Path) -> io::Result<()> {
        make_readable(fresh.path())?;
        let old = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(&self.path)?;
        if target.exists() {
            fs::rename(target, old.path().join("old"))?;
        }
        let fresh = fresh.keep();
        fs::rename(&fresh, target)
    }

    fn unfinished_file(&self) -> Result<NamedTempFile, OutputError> {
        unfinished_in(&self.path).map_err(|source| OutputError::Write { path: self.path.clone(), source })
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
        // Removed before it is unlocked, so that nobody waits on a file that is gone.
        let _ = fs::remove_file(self.path.join(LOCK_FILE));
        let _ = self.lock.unlock();
        if self.created {
            // Succeeds only when the run wrote nothing.
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// A file of the output folder that is still being written.
#[derive(Debug)]
pub struct UnfinishedFile {
    file: NamedTempFile,
    target: PathBuf,
}

impl UnfinishedFile {
    /// A file anywhere; fails at once when it could not appear there later.
    pub fn create(target: &Path) -> Result<Self, OutputError> {
        let folder =
            target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let write = |source| OutputError::Write { path: target.to_owned(), source };
        if target.is_dir() {
            return Err(write(io::ErrorKind::IsADirectory.into()));
        }
        Ok(Self { file: unfinished_in(folder).map_err(write)?, target: target.to_owned() })
    }

    /// Makes the file appear under its name.
    pub fn finish(self) -> Result<(), OutputError> {
        finish(self.file, &self.target)
    }
}

impl Write for UnfinishedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn unfinished_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED);
    // Temporary files are private by default; these are for everyone the umask allows.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // The name of the temporary file would only puzzle whoever reads the error.
    builder.tempfile_in(folder).map_err(|error| error.kind().into())
}

fn finish(file: NamedTempFile, target: &Path) -> Result<(), OutputError> {
    let write = |source| OutputError::Write { path: target.to_owned(), source };
    file.persist(target).map(drop).map_err(|error| write(error.error))
}

/// Temporary folders are private by default.
#[cfg(unix)]
fn make_readable(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_readable(_: &Path) -> io::Result<()> {
    Ok(())
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
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn files_appear_under_their_names_and_nothing_else_stays() {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join("a/out");
        let folder = OutputFolder::open(&path).unwrap();
        folder.write("suite.json", b"1").unwrap();
        folder.write("suite.json", b"2").unwrap();
        let mut events = folder.begin("events.jsonl").unwrap();
        events.write_all(b"{}\n").unwrap();
        assert!(!path.join("events.jsonl").exists());
        events.finish().unwrap();
        drop(folder);
        assert_eq!(names(&path), ["events.jsonl", "suite.json"]);
        assert_eq!(fs::read(path.join("suite.json")).unwrap(), b"2");
    }

    #[test]
    fn a_folder_is_replaced_as_a_whole() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = OutputFolder::open(temporary.path()).unwrap();
        folder.replace_folder("tests", [("pytest/old.py", b"old".as_slice())]).unwrap();
        folder.replace_folder("tests", [("pytest/new.py", b"new".as_slice()), ("jest/a.js", b"a")]).unwrap();
        assert_eq!(names(&temporary.path().join("tests/pytest")), ["new.py"]);
        drop(folder);
        assert_eq!(names(temporary.path()), ["tests"]);
    }

    #[test]
    fn a_second_steady_is_told_to_wait() {
        let temporary = tempfile::tempdir().unwrap();
        let first = OutputFolder::open(temporary.path()).unwrap();
        assert!(matches!(OutputFolder::open(temporary.path()), Err(OutputError::Locked { .. })));
        drop(first);
        assert!(OutputFolder::open(temporary.path()).is_ok());
    }

    #[test]
    fn a_run_that_wrote_nothing_leaves_no_folder() {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join("out");
        drop(OutputFolder::open(&path).unwrap());
        assert!(!path.exists());
    }

    #[test]
    fn what_a_killed_run_left_is_cleared_away() {
        let temporary = tempfile::tempdir().unwrap();
        fs::write(temporary.path().join(format!("{UNFINISHED}x")), "half").unwrap();
        fs::create_dir_all(temporary.path().join(format!("{UNFINISHED}y/z"))).unwrap();
        drop(OutputFolder::open(temporary.path()).unwrap());
        assert_eq!(names(temporary.path()), Vec::<String>::new());
    }

    #[test]
    fn a_file_in_the_way_and_paths_outside_are_refused() {
        let temporary = tempfile::tempdir().unwrap();
        let file = temporary.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(matches!(OutputFolder::open(&file), Err(OutputError::NotAFolder { .. })));
        let folder = OutputFolder::open(temporary.path()).unwrap();
        for name in ["../x", "/x", "", "a/../../x"] {
            assert!(matches!(folder.write(name, b""), Err(OutputError::Outside { .. })), "{name}");
        }
    }
}
