//! The test files around a place, read once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use steady_script::{KnownHelpers, Script, Wait};

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
    /// Reads a file. One that cannot be parsed has no waits.
    fn read(path: PathBuf, text: String, known: &KnownHelpers) -> Self {
        let script = Script::read_with(&path, &text, known);
        let waits = script.map(|script| script.waits().to_vec()).unwrap_or_default();
        Self { path, text, waits }
    }

    /// A line, from 1.
    pub(crate) fn line(&self, line: usize) -> &str {
        line.checked_sub(1).and_then(|index| self.text.lines().nth(index)).unwrap_or_default()
    }
}

impl Corpus {
    /// Reads files on all cores. A helper that one of them exports is a wait in the others.
    pub fn of(files: &[(PathBuf, String)]) -> Self {
        let scripts = on_all_cores(files, |(path, text)| {
            has_times(text).then(|| Script::read(path, text).ok()).flatten()
        });
        let known = KnownHelpers::collect(&scripts.iter().flatten().collect::<Vec<_>>());
        let helpers = scripts.iter().flatten().flat_map(Script::helpers);
        let names: BTreeSet<&str> =
            helpers.filter(|helper| helper.exported).map(|helper| helper.name.as_str()).collect();
        let is_user = |text: &str, script: &Option<Script>| {
            let own = script.iter().flat_map(Script::helpers).map(|helper| helper.name.as_str());
            let own: BTreeSet<&str> = own.collect();
            names.difference(&own).any(|name| text.contains(&format!("{name}(")))
        };
        let pairs: Vec<(&(PathBuf, String), &Option<Script>)> = files.iter().zip(&scripts).collect();
        let read = on_all_cores(&pairs, |((path, text), script)| {
            if !known.is_empty() && is_user(text, script) {
                return Source::read(path.clone(), text.clone(), &known);
            }
            let waits = script.as_ref().map(|script| script.waits().to_vec()).unwrap_or_default();
            Source { path: path.clone(), text: text.clone(), waits }
        });
        Self { files: read }
    }

    /// Its files.
    pub fn files(&self) -> &[Source] {
        &self.files
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
