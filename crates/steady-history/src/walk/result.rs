//! What a walk collects: commits, edges and versions of files.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use crate::git::Git;
use crate::git::blobs;
use crate::git::log::Logged;
use crate::rename::rename_follower::FollowedRenames;
use crate::rename::source::Rename;
use crate::rename::trail::RenameTrails;
use crate::versions::files::{BlobRequest, Files};
use crate::versions::version::Version;
use crate::walk::batches::walk_in_batches;
use crate::walk::commit_time::CommitTime;
use crate::walk::requests::BlobRequests;
use crate::walk::route::{Route, Walked, walk};
use crate::{HistoryError, Query};

/// A commit.
#[derive(Debug, Clone)]
pub(crate) struct Commit {
    pub(crate) id: String,
    pub(crate) time: CommitTime,
    pub(crate) subject: String,
}

/// A file at a point in history; without a blob it did not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) path: PathBuf,
    pub(crate) blob: Option<String>,
}

impl Side {
    /// The request that reads it.
    pub(crate) fn asked(&self) -> Option<BlobRequest> {
        self.blob.clone().map(|blob| BlobRequest { blob, path: self.path.clone() })
    }
}

/// A step of a file from one version, or in a merge from several, to the next.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    /// Its index in [`WalkResult::commits`].
    pub(crate) commit: usize,
    pub(crate) old: Vec<Side>,
    pub(crate) new: Side,
}

impl Edge {
    /// Whether the commit added the file.
    pub(crate) fn is_new(&self) -> bool {
        self.new.blob.is_some() && matches!(self.old.as_slice(), [Side { blob: None, .. }])
    }
}

/// Everything collected so far.
#[derive(Debug, Default)]
pub(crate) struct WalkResult {
    pub(crate) commits: Vec<Commit>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) files: Files,
    /// Blobs that were requested, found or not.
    asked: BTreeSet<String>,
    /// Commit and path of the edges: a file is not recorded twice.
    known: BTreeSet<(String, PathBuf)>,
    /// Commit and path of the added files whose source was searched.
    pub(crate) searched: BTreeSet<(String, PathBuf)>,
    /// Renamed files that the follower has already traced.
    pub(crate) followed: Vec<Rename>,
    /// Files that may be renamed.
    pub(crate) doubtful: Vec<Rename>,
}

/// What to collect.
pub(crate) struct WalkRequest<'a> {
    pub(crate) git: &'a Git,
    pub(crate) route: Route,
    /// Whether a path is included; the path specification may be wider.
    pub(crate) wanted: &'a (dyn Fn(&Path) -> bool + Sync),
    /// Files that are needed in any case.
    pub(crate) files: Vec<Side>,
    /// The commits at the boundary of a shallow clone: the files they seem to add are older than they are.
    pub(crate) cut: &'a [String],
    pub(crate) deadline: Instant,
}

impl WalkResult {
    /// Walks a route and reads the files on it.
    pub(crate) fn gather(
        &mut self,
        request: &WalkRequest<'_>,
        query: &Query<'_>,
    ) -> Result<Walked, HistoryError> {
        self.reading(request, query, |result, ask| {
            request.files.iter().filter_map(Side::asked).for_each(|asked| ask.ask(asked));
            walk_in_batches(result, request, ask)
        })
    }

    /// Follows renamed files to the commits that added them; commits before `since` are not visited.
    pub(crate) fn follow(
        &mut self,
        renames: &[Rename],
        request: &WalkRequest<'_>,
        query: &Query<'_>,
        since: i64,
    ) -> Result<Walked, HistoryError> {
        let mut open = RenameTrails::of(renames);
        let route = Route { since, ..open.route(&request.route, 0) };
        self.reading(request, query, |result, ask| {
            walk(request.git, &route, request.deadline, |commit, number| {
                for commit in open.pass(commit) {
                    result.take_in(&commit, number, request, |_| true, ask);
                }
                if open.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        })
    }

    /// Reads files without a walk.
    pub(crate) fn read<'b>(
        &mut self,
        sides: impl IntoIterator<Item = &'b Side>,
        request: &WalkRequest<'_>,
        query: &Query<'_>,
    ) -> Result<(), HistoryError> {
        self.reading(request, query, |_, ask| {
            sides.into_iter().filter_map(Side::asked).for_each(|asked| ask.ask(asked));
            Ok(())
        })
    }

    /// Reads the files that `work` requests, on another thread.
    fn reading<T>(
        &mut self,
        request: &WalkRequest<'_>,
        query: &Query<'_>,
        work: impl FnOnce(&mut Self, &BlobRequests) -> Result<T, HistoryError>,
    ) -> Result<T, HistoryError> {
        let (ask, asked) = BlobRequests::new(std::mem::take(&mut self.asked));
        let mut files = std::mem::take(&mut self.files);
        let take_in = |asked, blob| files.take_in(asked, blob, query.keep);
        let (done, read) = thread::scope(|scope| {
            let asked = asked.into_iter().flatten();
            let reader = scope.spawn(move || blobs::read(request.git, asked, request.deadline, take_in));
            let done = work(self, &ask);
            self.asked = ask.finish();
            (done, reader.join().unwrap_or(Ok(())))
        });
        self.files = files;
        read.and(done)
    }

    /// Records what a commit did to the `wanted` files.
    pub(crate) fn take_in(
        &mut self,
        commit: &Logged,
        number: usize,
        request: &WalkRequest<'_>,
        wanted: impl Fn(&Path) -> bool,
        ask: &BlobRequests,
    ) {
        let Logged { id, subject, entries, .. } = commit;
        if request.cut.contains(id) {
            return;
        }
        let place = self.commits.len();
        for entry in entries {
            if !wanted(&entry.path) || !self.known.insert((id.clone(), entry.path.clone())) {
                continue;
            }
            let side = |blob: &Option<String>| Side { path: entry.path.clone(), blob: blob.clone() };
            let (old, new) = (entry.old.iter().map(side).collect(), side(&entry.new));
            let edge = Edge { commit: place, old, new };
            let sides = [&edge.new].into_iter().chain(&edge.old);
            sides.filter_map(Side::asked).for_each(|asked| ask.ask(asked));
            self.edges.push(edge);
        }
        if self.edges.last().is_some_and(|edge| edge.commit == place) {
            let time = CommitTime::of(commit, number);
            self.commits.push(Commit { id: id.clone(), time, subject: subject.clone() });
        }
    }

    /// Merges the result of the rename follower.
    pub(crate) fn take_in_found(
        &mut self,
        found: FollowedRenames,
        request: &WalkRequest<'_>,
        ask: &BlobRequests,
    ) {
        for (commit, number) in &found.seen {
            self.take_in(commit, *number, request, |_| true, ask);
        }
        self.followed.extend(found.followed);
        self.doubtful.extend(found.doubtful);
        self.searched.extend(found.searched);
    }

    /// The version of a side: an empty one for a file that did not exist, `None` for one that could not be read.
    pub(crate) fn version(&self, side: &Side) -> Option<Version<'_>> {
        match &side.blob {
            Some(blob) => self.files.version(blob),
            None => Some(self.files.absent()),
        }
    }
}

/// The number of worker threads.
pub(crate) fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(8)
}
