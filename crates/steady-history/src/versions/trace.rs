//! Follows every kept line of today back through the steps of its file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::past::{FilePast, FollowedLine};
use crate::versions::step::{Lines, Step};
use crate::versions::version::Version;
use crate::walk::result::{Edge, Side};

/// A version, by its blob and the file's name at that time. Blobs come first: they compare faster than paths.
type Key = (String, PathBuf);
/// Which line of today is which kept line of a version.
type Threads = Vec<(usize, u32)>;

/// The lines of today, followed back.
pub(crate) struct Trace {
    lines: Vec<Followed>,
    /// The versions that lines have reached and that no step has left yet.
    live: BTreeMap<Key, Threads>,
}

struct Followed {
    path: PathBuf,
    line: FollowedLine,
}

impl Trace {
    pub(crate) fn new() -> Self {
        Self { lines: Vec::new(), live: BTreeMap::new() }
    }

    /// Begins with the kept lines of a file as it is now.
    pub(crate) fn begin(&mut self, path: &Path, blob: &str, version: Version<'_>) {
        let lines = version.kept.iter().map(|&line| (line as usize + 1, version.line(line).to_owned()));
        self.begin_with(path, blob, lines);
    }

    /// Begins with the lines of a file that are known from an earlier walk.
    pub(crate) fn begin_again(&mut self, path: &Path, file: &FilePast) {
        self.begin_with(path, &file.blob, file.lines.iter().map(|line| (line.line, line.text.clone())));
    }

    fn begin_with(&mut self, path: &Path, blob: &str, lines: impl Iterator<Item = (usize, String)>) {
        let first = self.lines.len();
        for (line, text) in lines {
            let line = FollowedLine { line, text, changes: Vec::new() };
            self.lines.push(Followed { path: path.to_owned(), line });
        }
        let threads = (first..self.lines.len()).zip(0..).collect();
        self.live.insert((blob.to_owned(), path.to_owned()), threads);
    }

    /// Goes back one step; `first` is the index of the step's first change among all changes.
    pub(crate) fn back(&mut self, edge: &Edge, step: Option<&Step>, first: usize) {
        let Some(threads) = key(&edge.new).and_then(|key| self.live.remove(&key)) else { return };
        let Some(step) = step else { return };
        let mut reached = vec![Threads::new(); edge.old.len()];
        match &step.lines {
            Lines::Same { parent } => reached[*parent] = threads,
            Lines::Each { changes, was } => {
                for (thread, ordinal) in threads {
                    let ordinal = ordinal as usize;
                    let change = changes.get(ordinal).copied().flatten();
                    self.lines[thread].line.changes.extend(change.map(|change| first + change));
                    for (reached, was) in reached.iter_mut().zip(was) {
                        reached.extend(was.get(ordinal).copied().flatten().map(|was| (thread, was)));
                    }
                }
            }
        }
        for (side, threads) in edge.old.iter().zip(reached) {
            let Some(key) = key(side) else { continue };
            let live = self.live.entry(key).or_default();
            live.extend(threads);
            live.sort_unstable();
            live.dedup();
        }
    }

    /// Continues with the result of an earlier walk, whose first change now has index `first`.
    pub(crate) fn join(&mut self, earlier: &BTreeMap<PathBuf, FilePast>, first: usize) {
        for ((blob, path), threads) in &self.live {
            let Some(file) = earlier.get(path).filter(|file| file.blob == *blob) else { continue };
            for &(thread, ordinal) in threads {
                let known = file.lines.get(ordinal as usize).into_iter().flat_map(|line| &line.changes);
                self.lines[thread].line.changes.extend(known.map(|change| first + change));
            }
        }
    }

    /// The lines with the changes they went through, by file; every file of `blobs` is in it.
    pub(crate) fn finish(self, blobs: &[(PathBuf, String)]) -> BTreeMap<PathBuf, FilePast> {
        let file = |(path, blob): &(PathBuf, String)| {
            (path.clone(), FilePast { blob: blob.clone(), lines: Vec::new() })
        };
        let mut files: BTreeMap<PathBuf, FilePast> = blobs.iter().map(file).collect();
        for Followed { path, mut line } in self.lines {
            line.changes.sort_unstable();
            line.changes.dedup();
            if let Some(file) = files.get_mut(&path) {
                file.lines.push(line);
            }
        }
        files
    }
}

fn key(side: &Side) -> Option<Key> {
    side.blob.as_ref().map(|blob| (blob.clone(), side.path.clone()))
}
