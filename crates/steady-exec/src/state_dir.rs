//! The folder for what commands need while they run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use steady_process::{Ledger, LedgerError, TempFolder, clean_up};

/// Steady's own folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StateDirError {
    /// It cannot be written to.
    #[error("cannot use `{}`", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The ledger of running commands cannot be written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

impl StateDirError {
    /// A folder that cannot be used.
    pub fn of(path: &Path, source: io::Error) -> Self {
        Self::Folder { path: path.to_owned(), source }
    }
}

/// A temporary folder, removed when dropped; opening one cleans up after a killed steady.
#[derive(Debug)]
pub struct StateDir {
    ledger: Ledger,
    folder: TempFolder,
}

/// Keeps the state folder out of git.
pub fn keep_out_of_git(state: &Path) -> io::Result<()> {
    let file = state.join(".gitignore");
    if file.exists() { Ok(()) } else { fs::write(file, "*\n") }
}

impl StateDir {
    /// Opens one; running commands are recorded below `state`, steady's own folder in the project.
    pub fn open(state: &Path) -> Result<Self, StateDirError> {
        let running = state.join("running");
        fs::create_dir_all(&running).map_err(|source| StateDirError::of(&running, source))?;
        keep_out_of_git(state).map_err(|source| StateDirError::of(state, source))?;
        clean_up(&running)?;
        let ledger = Ledger::open(&running)?;
        let folder = ledger.temp_folder(&std::env::temp_dir())?;
        Ok(Self { ledger, folder })
    }

    /// The ledger of running commands.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// An empty folder for the next run of a job.
    pub fn fresh(&self, job: usize, name: &str) -> Result<PathBuf, StateDirError> {
        let path = self.folder().join(format!("job-{job}")).join(name);
        let fail = |source| StateDirError::of(&path, source);
        match fs::remove_dir_all(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(fail(error)),
            _ => {}
        }
        fs::create_dir_all(&path).map_err(fail)?;
        Ok(path)
    }
}
