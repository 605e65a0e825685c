//! Follows files that came from elsewhere, beside the walk along the folder's own past: on another core it takes no time, while to walk
//! afterwards takes as long again for every time that a file was moved.
//!
//! It goes batch by batch behind the other and takes in new files at the ends of batches only, so that what is found does not depend on
//! which of the two is faster.

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

/// Only as many files are followed as fit on a command line, in bytes.
const ROOM: usize = 50_000;

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct FollowedRenames {
    /// Files that came from elsewhere.
    pub(crate) followed: Vec<Rename>,
    /// Files that may have.
    pub(crate) doubtful: Vec<Rename>,
    /// Commit and path of the new files that were looked for.
    pub(crate) searched: BTreeSet<(String, PathBuf)>,
    /// What was done to the files from elsewhere before they came, each with how many commits were looked at by then.
    pub(crate) seen: Vec<(Logged, usize)>,
    /// Whether there was time for all of it.
    pub(crate) in_time: bool,
    /// Why git stopped early, in its own words.
    pub(crate) problem: Option<String>,
}

impl FollowedRenames {
    fn new() -> Self {
        Self { in_time: true, ..Self::default() }
    }

    /// Takes in what was done to the files that are followed, by a commit and by those that it leads to; those that came there are added to
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
            // Where a commit also took files away, those that came may be the same; that is found out when all are read.
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

/// Follows the files that come on these batches to where they were added, or where the last batch ends.
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
            // Nothing else is to be done until the end of the batch.
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
    /// The files that are followed.
    open: RenameTrails,
    /// How far it is.
    here: CommitTime,
    /// Files that came on this batch to where others are followed.
    new: AddedFiles,
    found: FollowedRenames,
}

impl Follower<'_> {
    /// Walks along the files that are followed, until there are others to follow; the batch to go on with.
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
                // All were met where they were added, or nothing is older.
                self.open = RenameTrails::default();
                Ok(batch)
            }
        }
    }

    /// Looks for where the files that came on a batch were before, and follows them to its end. Says whether some are older.
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

    /// Follows files from where they left to the end of a batch; those that came there are handed over.
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
