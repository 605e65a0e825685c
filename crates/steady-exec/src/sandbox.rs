//! A copy of the project, for runs that must not touch it.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use steady_process::{Cancel, Isolation, TempFolder};

use crate::error::ExecError;
use crate::state_dir::{StateDir, StateDirError};

/// Installed folders: a copy of the sources shares them by link.
const INSTALLED: [&str; 3] = ["node_modules", ".venv", "venv"];

/// A file of a sandbox cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// It is missing, or cannot be read or written.
    #[error("cannot use `{}`", path.display())]
    File {
        /// Which, relative to the project.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is not inside the project.
    #[error("`{}` is not a file of the project: give a path inside of it", path.display())]
    Outside {
        /// Which.
        path: PathBuf,
    },
}

/// A copy of a project, removed when dropped.
#[derive(Debug)]
pub struct Sandbox {
    folder: TempFolder,
}

impl Sandbox {
    /// A copy of everything, for a job that may write anywhere.
    pub fn full(project: &Path, state_dir: &StateDir, cancel: &Cancel) -> Result<Self, ExecError> {
        Self::copy(&isolation(project)?, state_dir, cancel)
    }

    /// A copy of the sources: installed folders are shared, git's folder is left out.
    pub fn of_sources(project: &Path, state_dir: &StateDir, cancel: &Cancel) -> Result<Self, ExecError> {
        let isolation = INSTALLED.into_iter().fold(isolation(project)?.skip(".git"), Isolation::link);
        Self::copy(&isolation, state_dir, cancel)
    }

    fn copy(isolation: &Isolation, state_dir: &StateDir, cancel: &Cancel) -> Result<Self, ExecError> {
        let folder = state_dir.ledger().temp_folder(&std::env::temp_dir()).map_err(StateDirError::from)?;
        isolation.copy_to(folder.path(), cancel)?;
        Ok(Self { folder })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The text of a file of the project, as it is in the copy now.
    pub fn read(&self, path: &Path) -> Result<String, SandboxError> {
        let file = self.file(path)?;
        fs::read_to_string(&file).map_err(|source| SandboxError::File { path: path.to_owned(), source })
    }

    /// Writes a file of the copy.
    pub fn write(&self, path: &Path, text: &str) -> Result<(), SandboxError> {
        let file = self.file(path)?;
        fs::write(&file, text).map_err(|source| SandboxError::File { path: path.to_owned(), source })
    }

    /// The path of a file in the copy. A path that leads outside is refused: it would write to the original.
    fn file(&self, path: &Path) -> Result<PathBuf, SandboxError> {
        let inside = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let real = self.path().join(path).canonicalize();
        let real = real.map_err(|source| SandboxError::File { path: path.to_owned(), source })?;
        let copy = self.path().canonicalize().unwrap_or_else(|_| self.path().to_owned());
        if inside && real.starts_with(&copy) {
            Ok(real)
        } else {
            Err(SandboxError::Outside { path: path.to_owned() })
        }
    }
}

fn isolation(project: &Path) -> Result<Isolation, ExecError> {
    Ok(Isolation::copy(project).map_err(|source| StateDirError::of(project, source))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project() -> tempfile::TempDir {
        let project = tempfile::tempdir().unwrap();
        for file in ["a.test.js", ".git/config", "node_modules/left/index.js"] {
            let path = project.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        project
    }

    #[test]
    fn a_copy_of_the_sources_shares_what_is_installed() {
        let (project, state) = (project(), tempfile::tempdir().unwrap());
        let state_dir = StateDir::open(state.path()).unwrap();
        let cancel = Cancel::new().unwrap();
        let sources = Sandbox::of_sources(project.path(), &state_dir, &cancel).unwrap();
        assert!(!sources.path().join(".git").exists());
        assert!(sources.path().join("node_modules").is_symlink());
        let full = Sandbox::full(project.path(), &state_dir, &cancel).unwrap();
        assert!(full.path().join(".git/config").exists() && !full.path().join("node_modules").is_symlink());
    }

    #[test]
    fn no_path_leads_out_of_the_copy() {
        let (project, state) = (project(), tempfile::tempdir().unwrap());
        let state_dir = StateDir::open(state.path()).unwrap();
        let sandbox = Sandbox::of_sources(project.path(), &state_dir, &Cancel::new().unwrap()).unwrap();
        sandbox.write(Path::new("a.test.js"), "changed").unwrap();
        assert_eq!(sandbox.read(Path::new("a.test.js")).unwrap(), "changed");
        assert_eq!(fs::read_to_string(project.path().join("a.test.js")).unwrap(), "a.test.js");
        let original = project.path().join("a.test.js");
        for path in [original.as_path(), Path::new("node_modules/left/index.js")] {
            assert!(matches!(sandbox.write(path, "x"), Err(SandboxError::Outside { .. })), "{path:?}");
        }
        assert!(matches!(sandbox.read(Path::new("b.test.js")), Err(SandboxError::File { .. })));
    }
}
