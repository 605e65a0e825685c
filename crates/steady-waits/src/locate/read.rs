//! The edge: reads the test files around a file, and the past of its folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use steady_history::{HistoryError, Limits, Past, Query, Repository, past};
use steady_js::Script;

use super::corpus::{Corpus, Source};
use super::fragment::is_time_line;
use crate::files::{LARGEST, is_entered, is_test_file};
use crate::imports::with_imports;

/// The folders around are read too while they have no more test files than this.
pub const AROUND: usize = 150;
/// And no more entries.
const ENTRIES: usize = 4_000;
/// Changes when what is kept of the past changes.
const RULES: &str = "times 1";

/// The files to search for a place: those of its folder, and of the folders around it while these are few.
///
/// Paths are relative to `root`; `file` too. Files that cannot be read are left out, except `file` itself.
///
/// # Errors
///
/// If `file` cannot be read.
pub fn read_corpus(root: &Path, file: &Path) -> io::Result<Corpus> {
    let text = fs::read(root.join(file))?;
    let mut paths = Vec::new();
    for ancestor in file.ancestors().skip(1) {
        let is_folder = Some(ancestor) == file.parent();
        match test_files(root, ancestor, !is_folder) {
            Some(found) => paths = found,
            None => break,
        }
    }
    paths.retain(|path| path != file);
    let text_of = |content: Vec<u8>| {
        String::from_utf8(content)
            .unwrap_or_else(|wrong| String::from_utf8_lossy(wrong.as_bytes()).into_owned())
    };
    let texts = paths.into_iter().filter_map(|path| {
        let content = fs::read(root.join(&path)).ok()?;
        Some((path, text_of(content)))
    });
    let own = (file.to_owned(), text_of(text));
    let mut corpus = Corpus::of(&std::iter::once(own).chain(texts).collect::<Vec<_>>());
    if let Some(own) = corpus.file_mut(file) {
        add_imported(&root.join(file), own);
    }
    Ok(corpus)
}

/// Adds the waits whose times are imported. Only those of the file that is asked about: the others would all have to be read twice.
fn add_imported(path: &Path, file: &mut Source) {
    let Ok(script) = Script::read(path, &file.text) else { return };
    if script.sources().is_empty() {
        return;
    }
    for wait in with_imports(path, script).waits().iter().filter(|wait| wait.value.is_some()) {
        match file.waits.iter_mut().find(|known| known.call == wait.call) {
            Some(known) => *known = wait.clone(),
            None => file.waits.push(wait.clone()),
        }
    }
    file.waits.sort_by_key(|wait| wait.call.start);
}

/// The test files of a folder, and of those below it if they are few; nothing if they are too many.
fn test_files(root: &Path, folder: &Path, below: bool) -> Option<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut entries = 0;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).into_iter().flatten().flatten() {
            entries += 1;
            let (Ok(kind), name) = (entry.file_type(), entry.file_name()) else { continue };
            let path = folder.join(&name);
            if kind.is_dir() && below && name.to_str().is_some_and(is_entered) {
                folders.push(path);
            } else if kind.is_file()
                && is_test_file(&path)
                && entry.metadata().is_ok_and(|metadata| metadata.len() <= LARGEST)
            {
                found.push(path);
            }
            if below && (found.len() > AROUND || entries > ENTRIES) {
                return None;
            }
        }
    }
    found.sort();
    Some(found)
}

/// What the past of a file's folder is asked for; `file` is relative to the root of the repository.
pub fn past_query(folder: &Path, limits: Limits) -> Query<'_> {
    Query { folder, recursive: false, is_test: &is_test_file, keep: &is_time_line, rules: RULES, limits }
}

/// The past of a folder, without a cache.
///
/// # Errors
///
/// If git fails.
pub fn read_past(repository: &Repository, folder: &Path, limits: Limits) -> Result<Past, HistoryError> {
    past(repository, &past_query(folder, limits))
}
