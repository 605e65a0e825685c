//! Reads many files of test code at once.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use steady_js::{KnownHelpers, ParseError, Script, spawn_reader};

use crate::imports::Imports;

/// A file that was read.
#[derive(Debug)]
pub struct ScriptFile {
    /// Where it is.
    pub path: PathBuf,
    /// What is in it.
    pub script: Script,
    /// What was known of other files when it was read.
    pub known: KnownHelpers,
}

/// A file that was not.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The file system refused.
    #[error("cannot read `{}`", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// It is not JavaScript or TypeScript.
    #[error("cannot parse `{}`: {source}", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// Its text.
        text: String,
        /// What is wrong with it.
        source: ParseError,
    },
}

/// Reads files, in order; the helpers that one exports are known in the others, and so are times that they import.
pub fn read_scripts(paths: &[PathBuf]) -> (Vec<ScriptFile>, Vec<ScriptError>) {
    let mut errors = Vec::new();
    let mut files = Vec::new();
    for outcome in on_all_cores(paths, |path| read(path, &KnownHelpers::default())) {
        match outcome {
            Ok(file) => files.push(file),
            Err(error) => errors.push(error),
        }
    }
    let known = KnownHelpers::collect(&files.iter().map(|file| &file.script).collect::<Vec<_>>());
    let mut imports = Imports::default();
    for file in &mut files {
        file.known = imports.known(&file.path, &file.script, &known).unwrap_or_else(|| known.clone());
    }
    let again = on_all_cores(&files, |file| {
        let is_needed = !file.known.is_empty();
        is_needed.then(|| Script::read_with(&file.path, file.script.text(), &file.known).ok()).flatten()
    });
    for (file, script) in files.iter_mut().zip(again) {
        if let Some(script) = script {
            file.script = script;
        }
    }
    (files, errors)
}

/// Reads one file.
pub fn read(path: &PathBuf, known: &KnownHelpers) -> Result<ScriptFile, ScriptError> {
    let io = |source| ScriptError::Io { path: path.clone(), source };
    let text = String::from_utf8_lossy(&fs::read(path).map_err(io)?).into_owned();
    match Script::read_with(path, &text, known) {
        Ok(script) => Ok(ScriptFile { path: path.clone(), script, known: known.clone() }),
        Err(source) => Err(ScriptError::Parse { path: path.clone(), text, source }),
    }
}

/// Does something with every item, the results in the order of the items. Scripts are read fastest in here.
pub(crate) fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    let next = AtomicUsize::new(0);
    // Whoever is done takes the next item, since some files are much longer than others.
    let share = || {
        let indices = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let taken = indices.map_while(|index| Some((index, items.get(index)?)));
        taken.map(|(index, item)| (index, work(item))).collect::<Vec<_>>()
    };
    let mut done = thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).filter_map(|_| spawn_reader(scope, share).ok()).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, _>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().flat_map(join).collect::<Vec<_>>()
    });
    // Nothing is left, except where no thread could be had.
    done.extend(share());
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helpers_of_one_file_are_waits_in_another_and_broken_files_are_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let texts = [
            ("util.js", "export const settle = ms => new Promise(done => setTimeout(done, ms));"),
            (
                "a.test.js",
                "import { settle } from './util';\nit('waits', async () => { await settle(250); });",
            ),
            ("b.test.js", "it('is broken', () => {"),
        ];
        let paths: Vec<PathBuf> = texts.iter().map(|(name, _)| folder.path().join(name)).collect();
        for (path, (_, text)) in paths.iter().zip(texts) {
            fs::write(path, text).expect("a file");
        }
        let (files, errors) = read_scripts(&paths);
        let found = files.iter().flat_map(|file| file.script.waits()).filter_map(steady_js::Wait::ms);
        assert_eq!(found.collect::<Vec<_>>(), [250]);
        assert!(matches!(&errors[..], [ScriptError::Parse { path, .. }] if path.ends_with("b.test.js")));
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..1000).collect();
        assert_eq!(
            on_all_cores(&items, |item| item * 2),
            items.iter().map(|item| item * 2).collect::<Vec<_>>()
        );
    }
}
