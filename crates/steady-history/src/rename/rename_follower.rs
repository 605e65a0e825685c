//! Follows renamed files while the walk is still running. On another core this costs no time; walking afterwards would take
//! another walk for every rename.
//!
//! It stays one batch after the walk and looks for renames at the ends of batches only, therefore the result does not depend on
//! which of the two is faster. [`walk`](crate::walk) describes all three threads.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::{IntoIter, Receiver};

use crate::HistoryError;
use crate::git::log::Logged;
use crate::rename::source::{AddedFile, AddedFiles, Rename, find_renames, verified};
use crate::rename::trail::RenameTrails;
use crate::walk::batches::Batch;
use crate::walk::commit_time::CommitTime;
use crate::walk::requests::BlobRequests;
use crate::walk::result::{Side, WalkRequest};
use crate::walk::route::{Walked, walk};

/// The total length of the paths that are followed, in bytes: they have to fit on a command line.
const ROOM: usize = 50_000;

/// The follower's result.
#[derive(Debug, Default)]
pub(crate) struct FollowedRenames {
    /// Renamed files.
    pub(crate) followed: Vec<Rename>,
    /// Files that may be renamed; decided when all files are read.
    pub(crate) doubtful: Vec<Rename>,
    /// Commit and path of the added files whose source was searched.
    pub(crate) searched: BTreeSet<(String, PathBuf)>,
    /// Commits that touched the earlier paths, each with the number of commits visited by then.
    pub(crate) seen: Vec<(Logged, usize)>,
    /// Whether the time sufficed.
    pub(crate) in_time: bool,
    /// The message of a git that stopped early.
    pub(crate) problem: Option<String>,
}

impl FollowedRenames {
    fn new() -> Self {
        Self { in_time: true, ..Self::default() }
    }

    /// Records what a commit, and the commits reached through it, did to the followed files; files that they added go to
    /// `new`.
    fn take_in(
        &mut self,
        commit: Logged,
        number: usize,
        open: &mut RenameTrails,
        new: &mut AddedFiles,
        ask: &BlobRequests,
    ) {
        for commit in open.pass(commit) {
            let time = CommitTime::of(&commit, number);
            let side =
                |path: &PathBuf, blob: &Option<String>| Side { path: path.clone(), blob: blob.clone() };
            for entry in &commit.entries {
                let blobs = [&entry.new].into_iter().chain(&entry.old);
                blobs.filter_map(|blob| side(&entry.path, blob).asked()).for_each(|asked| ask.ask(asked));
            }
            // In a commit that also deletes files, an added file may be one of those; that is decided when all files are read.
            if commit.entries.iter().all(|entry| entry.new.is_some()) {
                for entry in commit.entries.iter().filter(|entry| entry.is_new()) {
                    let file = AddedFile { time, side: side(&entry.path, &entry.new) };
                    new.entry(commit.id.clone()).or_default().push(file);
                }
            }
            self.seen.push((commit, number));
        }
    }

    fn end(&mut self, walked: Walked) {
        self.in_time &= walked.in_time;
        self.problem = self.problem.take().or(walked.problem);
    }
}

/// Follows the added files of these batches back to the commit that added them, or to the end of the last batch.
pub(crate) fn follow(
    batches: Receiver<Batch>,
    request: &WalkRequest<'_>,
    ask: &BlobRequests,
) -> Result<FollowedRenames, HistoryError> {
    let mut follower = Follower {
        request,
        ask,
        open: RenameTrails::default(),
        here: CommitTime::FIRST,
        new: AddedFiles::new(),
        found: FollowedRenames::new(),
    };
    let mut batches = batches.into_iter();
    let mut now = batches.next();
    while let Some(batch) = now {
        now = match (follower.open.is_empty(), follower.new.is_empty()) {
            (false, _) => follower.walk(batch, &mut batches)?,
            (true, true) => follower.look(batch).map(|_| batches.next())?,
            // Nothing else is open, so the position is as good as the end of a batch.
            (true, false) => {
                let so_far = Batch { end: follower.here, new: AddedFiles::new() };
                follower.look(so_far).map(|_| Some(batch))?
            }
        };
    }
    Ok(follower.found)
}

struct Follower<'a> {
    request: &'a WalkRequest<'a>,
    ask: &'a BlobRequests,
    /// The files being followed.
    open: RenameTrails,
    /// The position of this walk.
    here: CommitTime,
    /// Files that were added in this batch at a path that is followed.
    new: AddedFiles,
    found: FollowedRenames,
}

impl Follower<'_> {
    /// Walks along the followed files until there are more to follow; returns the batch to continue with.
    fn walk(&mut self, batch: Batch, batches: &mut IntoIter<Batch>) -> Result<Option<Batch>, HistoryError> {
        let route = self.open.route(&self.request.route, self.here.number);
        let mut batch = Some(batch);
        let mut turn = None;
        let walked = walk(self.request.git, &route, self.request.deadline, |commit, number| {
            let time = CommitTime::of(&commit, number);
            while let Some(ended) = batch.take_if(|batch| batch.end < time) {
                let looked = self.look(ended);
                batch = batches.next();
                if batch.is_none() || !matches!(looked, Ok(false)) {
                    turn = Some(looked);
                    return ControlFlow::Break(());
                }
            }
            self.here = time;
            self.found.take_in(commit, number, &mut self.open, &mut self.new, self.ask);
            if self.open.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        self.found.end(walked);
        match turn {
            Some(looked) => looked.map(|_| batch),
            None => {
                // All files reached the commit that added them, or no older commit exists.
                self.open = RenameTrails::default();
                Ok(batch)
            }
        }
    }

    /// Searches the sources of the files added in a batch, and follows them to its end. Returns whether some are older.
    fn look(&mut self, batch: Batch) -> Result<bool, HistoryError> {
        self.here = batch.end;
        let mut is_more = false;
        let mut new = batch.new;
        for (commit, mut files) in std::mem::take(&mut self.new) {
            new.entry(commit).or_default().append(&mut files);
        }
        while !new.is_empty() {
            let searched =
                new.iter().flat_map(|(id, new)| new.iter().map(|new| (id.clone(), new.side.path.clone())));
            self.found.searched.extend(searched);
            let (mut followed, doubtful) = verified(find_renames(&new, self.request)?, self.request)?;
            self.found.doubtful.extend(doubtful);
            let mut open = RenameTrails::of(&followed);
            if self.open.size() + open.size() > ROOM {
                self.found.doubtful.append(&mut followed);
                break;
            }
            new = self.catch_up(&followed, &mut open, batch.end)?;
            self.found.followed.append(&mut followed);
            is_more |= !open.is_empty();
            self.open.extend(open);
        }
        Ok(is_more)
    }

    /// Follows files from their rename to the end of a batch; returns the files added on the way.
    fn catch_up(
        &mut self,
        followed: &[Rename],
        open: &mut RenameTrails,
        end: CommitTime,
    ) -> Result<AddedFiles, HistoryError> {
        let mut new = AddedFiles::new();
        followed.iter().filter_map(|rename| rename.old.asked()).for_each(|asked| self.ask.ask(asked));
        let first = followed.iter().map(|rename| rename.time).min();
        let Some(first) = first.filter(|first| *first < end) else { return Ok(new) };
        let route = open.route(&self.request.route, first.number);
        let walked = walk(self.request.git, &route, self.request.deadline, |commit, number| {
            if end < CommitTime::of(&commit, number) {
                return ControlFlow::Break(());
            }
            self.found.take_in(commit, number, open, &mut new, self.ask);
            if open.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        self.found.end(walked);
        Ok(new)
    }
}
