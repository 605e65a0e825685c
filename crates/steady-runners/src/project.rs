//! The folder a test command is run in.

use std::fs;
use std::path::{Path, PathBuf};

/// The largest project file that is read.
const LIMIT: u64 = 4 << 20;

/// The user's project: the folder the command is run in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    root: PathBuf,
}

impl Project {
    /// The project in `folder`.
    pub fn at(folder: &Path) -> Self {
        // Runners report real paths, so ids have to be relative to one.
        Self { root: folder.canonicalize().unwrap_or_else(|_| folder.to_owned()) }
    }

    /// The folder, without symbolic links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A script of its `package.json`.
    pub(crate) fn script(&self, name: &str) -> Option<String> {
        let manifest: serde_json::Value = serde_json::from_str(&self.read("package.json")?).ok()?;
        Some(manifest["scripts"][name].as_str()?.to_owned())
    }

    /// Whether its files mention pytest.
    pub(crate) fn has_pytest(&self) -> bool {
        let speaks = |file: &str, word: &str| self.read(file).is_some_and(|text| text.contains(word));
        self.root.join("pytest.ini").exists()
            || self.root.join("conftest.py").exists()
            || self.root.join("tests/conftest.py").exists()
            || ["pyproject.toml", "tox.ini", "setup.cfg"].into_iter().any(|file| speaks(file, "pytest"))
    }

    fn read(&self, file: &str) -> Option<String> {
        let path = self.root.join(file);
        let size = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?.len();
        if size > LIMIT {
            return None;
        }
        fs::read_to_string(path).ok()
    }
}
