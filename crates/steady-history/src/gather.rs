//! Brings in commits and files: git walks, git reads, and the files are cut into lines meanwhile.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use crate::blobs::{self, Blob};
use crate::git::Git;
use crate::log::Logged;
use crate::version::Version;
use crate::walk::{Route, Walked, walk};
use crate::{HistoryError, Query};

/// How much of files is read, all together, in bytes.
const MEMORY: usize = 512 << 20;

/// A commit.
#[derive(Debug, Clone)]
pub(crate) struct Commit {
    pub(crate) id: String,
    pub(crate) time: i64,
    pub(crate) subject: String,
}

/// A file at a moment; no blob: it was not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) path: PathBuf,
    pub(crate) blob: Option<String>,
}

/// A step of a file from one version, or in a merge from several, to the next.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    /// Its place in [`Harvest::commits`].
    pub(crate) commit: usize,
    pub(crate) old: Vec<Side>,
    pub(crate) new: Side,
}

/// Everything brought in so far.
#[derive(Debug, Default)]
pub(crate) struct Harvest {
    pub(crate) commits: Vec<Commit>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) versions: BTreeMap<String, Arc<Version>>,
    /// Asked for already, whatever came of it.
    asked: BTreeSet<String>,
    /// Commit and path of the edges, so that a file is not taken in twice.
    known: BTreeSet<(String, PathBuf)>,
    bytes: usize,
    pub(crate) missing: usize,
    pub(crate) too_large: usize,
    pub(crate) too_much: usize,
}

/// What to bring in.
pub(crate) struct Errand<'a> {
    pub(crate) git: &'a Git,
    pub(crate) route: Route,
    /// Whether a path is one of those meant; the path specification may be wider.
    pub(crate) wanted: &'a (dyn Fn(&Path) -> bool + Sync),
    /// Files that are followed back to where they were added, each with when it left; with the last of them the walk ends. None: it
    /// ends with its route.
    pub(crate) followed: BTreeMap<PathBuf, i64>,
    /// Blobs that are needed whatever the walk finds.
    pub(crate) blobs: Vec<String>,
    /// The commits whose parents are not here: what they seem to add is older than them.
    pub(crate) cut: &'a [String],
    pub(crate) deadline: Instant,
}

impl Harvest {
    /// Walks a route, and reads the files met on it.
    pub(crate) fn gather(&mut self, errand: &Errand<'_>, query: &Query<'_>) -> Result<Walked, HistoryError> {
        self.reading(errand, query, |harvest, ask| {
            errand.blobs.iter().for_each(|blob| harvest.want(blob, ask));
            let mut open = errand.followed.clone();
            walk(errand.git, &errand.route, errand.deadline, |commit| {
                open.retain(|path, left| commit.time > *left || !commit.adds(path));
                harvest.take_in(commit, errand, ask);
                match open.is_empty() && !errand.followed.is_empty() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            })
        })
    }

    /// Reads files, and walks nowhere.
    pub(crate) fn read<'b>(
        &mut self,
        blobs: impl IntoIterator<Item = &'b String>,
        errand: &Errand<'_>,
        query: &Query<'_>,
    ) -> Result<(), HistoryError> {
        self.reading(errand, query, |harvest, ask| {
            blobs.into_iter().for_each(|blob| harvest.want(blob, ask));
            Ok(())
        })
    }

    /// Reads the files that are asked for in `work`, and cuts them into lines meanwhile.
    fn reading<T>(
        &mut self,
        errand: &Errand<'_>,
        query: &Query<'_>,
        work: impl FnOnce(&mut Self, &mpsc::Sender<String>) -> Result<T, HistoryError>,
    ) -> Result<T, HistoryError> {
        let (ask, asked) = mpsc::channel();
        let (give, given) = mpsc::sync_channel::<(String, Vec<u8>)>(64);
        let given = Mutex::new(given);
        let room = MEMORY.saturating_sub(self.bytes);
        let git = errand.git;
        let (done, read, versions) = thread::scope(|scope| {
            let reader = scope.spawn(move || {
                let mut read = Read::default();
                let ended = blobs::read(git, asked.into_iter(), errand.deadline, |id, blob| {
                    if let Some(content) = read.take(blob, room) {
                        // Those who cut it into lines wait until this ends.
                        let _ = give.send((id, content));
                    }
                });
                ended.map(|()| read)
            });
            let cutters = (0..threads()).map(|_| scope.spawn(|| cut(&given, query))).collect::<Vec<_>>();
            let done = work(self, &ask);
            drop(ask);
            let versions = cutters.into_iter().filter_map(|cutter| cutter.join().ok()).flatten();
            let versions = versions.collect::<Vec<_>>();
            (done, reader.join().unwrap_or_else(|_| Ok(Read::default())), versions)
        });
        let (done, read) = (done?, read?);
        self.versions.extend(versions);
        self.bytes += read.bytes;
        self.missing += read.missing;
        self.too_large += read.too_large;
        self.too_much += read.too_much;
        Ok(done)
    }

    fn take_in(&mut self, commit: Logged, errand: &Errand<'_>, ask: &mpsc::Sender<String>) {
        if errand.cut.contains(&commit.id) {
            return;
        }
        let place = self.commits.len();
        for entry in commit.entries {
            if !(errand.wanted)(&entry.path) || !self.known.insert((commit.id.clone(), entry.path.clone())) {
                continue;
            }
            entry.new.iter().chain(entry.old.iter().flatten()).for_each(|blob| self.want(blob, ask));
            let side = |blob| Side { path: entry.path.clone(), blob };
            let old = entry.old.into_iter().map(side).collect();
            self.edges.push(Edge { commit: place, old, new: side(entry.new) });
        }
        if self.edges.last().is_some_and(|edge| edge.commit == place) {
            self.commits.push(Commit { id: commit.id, time: commit.time, subject: commit.subject });
        }
    }

    fn want(&mut self, blob: &str, ask: &mpsc::Sender<String>) {
        if self.asked.insert(blob.to_owned()) {
            // The reader takes ids until there are no more.
            let _ = ask.send(blob.to_owned());
        }
    }

    /// The version of a side: an empty one of a file that was not there, none of a file that could not be read.
    pub(crate) fn version(&self, side: &Side) -> Option<Arc<Version>> {
        match &side.blob {
            Some(blob) => self.versions.get(blob).cloned(),
            None => Some(Arc::default()),
        }
    }
}

/// What became of the blobs.
#[derive(Debug, Default)]
struct Read {
    bytes: usize,
    missing: usize,
    too_large: usize,
    too_much: usize,
}

impl Read {
    fn take(&mut self, blob: Blob, room: usize) -> Option<Vec<u8>> {
        match blob {
            Blob::Missing => self.missing += 1,
            Blob::TooLarge => self.too_large += 1,
            Blob::Content(content) if self.bytes + content.len() > room => {
                self.too_much += 1;
                drop(content);
            }
            Blob::Content(content) => {
                self.bytes += content.len();
                return Some(content);
            }
        }
        None
    }
}

/// Cuts files into lines until there are no more.
fn cut(given: &Mutex<mpsc::Receiver<(String, Vec<u8>)>>, query: &Query<'_>) -> Vec<(String, Arc<Version>)> {
    let next = || given.lock().unwrap_or_else(PoisonError::into_inner).recv().ok();
    let mut versions = Vec::new();
    while let Some((id, content)) = next() {
        versions.push((id, Arc::new(Version::new(&content, query.keep))));
    }
    versions
}

/// How many threads are worth having.
pub(crate) fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(8)
}
