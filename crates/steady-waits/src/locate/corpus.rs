//! The test files around a place, read once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use steady_js::{KnownHelpers, Wait, Waits};

use super::fragment::is_time_line;
use crate::scripts::on_all_cores;

/// The files to search, as plain data: whoever fills it has read them, from a folder or from a commit.
#[derive(Debug, Default)]
pub struct Corpus {
    files: Vec<Source>,
}

/// A file of the corpus.
#[derive(Debug, Clone)]
pub struct Source {
    /// Where it is, relative to the same folder as all others.
    pub path: PathBuf,
    /// What it says.
    pub text: String,
    /// Its waits that say how long, and those that do not.
    pub waits: Vec<Wait>,
}

impl Source {
    /// A line, from 1.
    pub(crate) fn line(&self, line: usize) -> &str {
        line.checked_sub(1).and_then(|index| self.text.lines().nth(index)).unwrap_or_default()
    }
}

impl Corpus {
    /// Reads files on all cores. A helper that one of them exports is a wait in the others; a file that cannot be parsed has no waits.
    pub fn of(files: &[(PathBuf, String)]) -> Self {
        let read = |path: &Path, text: &str, known: &KnownHelpers| {
            Waits::read(path, text, known).unwrap_or_default()
        };
        let first = on_all_cores(files, |(path, text)| match has_times(text) {
            true => read(path, text, &KnownHelpers::default()),
            false => Waits::default(),
        });
        let helpers = || first.iter().flat_map(|waits| &waits.helpers);
        let known = KnownHelpers::of(helpers());
        let exported = helpers().filter(|helper| helper.exported).map(|helper| helper.name.as_str());
        let exported: BTreeSet<&str> = exported.collect();
        let is_user = |text: &str, waits: &Waits| {
            let is_own = |name: &str| waits.helpers.iter().any(|helper| helper.name == name);
            exported.iter().any(|name| !is_own(name) && text.contains(&format!("{name}(")))
        };
        let pairs: Vec<(&(PathBuf, String), &Waits)> = files.iter().zip(&first).collect();
        let files = on_all_cores(&pairs, |((path, text), first)| {
            let again = is_user(text, first).then(|| read(path, text, &known));
            let waits = again.map_or_else(|| first.waits.clone(), |again| again.waits);
            Source { path: path.clone(), text: text.clone(), waits }
        });
        Self { files }
    }

    /// Its files.
    pub fn files(&self) -> &[Source] {
        &self.files
    }

    pub(crate) fn file_mut(&mut self, path: &Path) -> Option<&mut Source> {
        self.files.iter_mut().find(|file| file.path == path)
    }

    /// The file at a path.
    pub fn file(&self, path: &Path) -> Option<&Source> {
        self.files.iter().find(|file| file.path == path)
    }
}

/// Whether a file can have times, or a helper that takes one; many have none and need not be parsed.
fn has_times(text: &str) -> bool {
    text.contains("setTimeout") || text.lines().any(is_time_line)
}
