//! Follows files that came from elsewhere, beside the walk along the folder's own past: on another core it takes no time, while to walk
//! afterwards takes as long again for every time that a file was moved.
//!
//! It goes leg by leg behind the other and takes in new files at the ends of legs only, so that what is found does not depend on
//! which of the two is faster.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::{IntoIter, Receiver};

use crate::HistoryError;
use crate::arrivals::{Arrival, Newcomer, Newcomers, arrivals, verified};
use crate::elsewhere::Elsewhere;
use crate::gather::{Errand, Side};
use crate::legs::Leg;
use crate::log::Logged;
use crate::moment::Moment;
use crate::requests::Requests;
use crate::walk::{Walked, walk};

/// Only as many files are followed as fit on a command line, in bytes.
const ROOM: usize = 50_000;

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Files that came from elsewhere.
    pub(crate) followed: Vec<Arrival>,
    /// Files that may have.
    pub(crate) doubtful: Vec<Arrival>,
    /// Commit and path of the new files that were looked for.
    pub(crate) searched: BTreeSet<(String, PathBuf)>,
    /// What was done to the files from elsewhere before they came, each with how many commits were looked at by then.
    pub(crate) seen: Vec<(Logged, usize)>,
    /// Whether there was time for all of it.
    pub(crate) in_time: bool,
    /// Why git stopped early, in its own words.
    pub(crate) problem: Option<String>,
}

impl Found {
    fn new() -> Self {
        Self { in_time: true, ..Self::default() }
    }

    /// Takes in what was done to the files that are followed, by a commit and by those that it leads to; those that came there are added to
    /// `new`.
    fn take_in(
        &mut self,
        commit: Logged,
        number: usize,
        open: &mut Elsewhere,
        new: &mut Newcomers,
        ask: &Requests,
    ) {
        for commit in open.pass(commit) {
            let moment = Moment::of(&commit, number);
            let side =
                |path: &PathBuf, blob: &Option<String>| Side { path: path.clone(), blob: blob.clone() };
            for entry in &commit.entries {
                let blobs = [&entry.new].into_iter().chain(&entry.old);
                blobs.filter_map(|blob| side(&entry.path, blob).asked()).for_each(|asked| ask.ask(asked));
            }
            // Where a commit also took files away, those that came may be the same; that is found out when all are read.
            if commit.entries.iter().all(|entry| entry.new.is_some()) {
                for entry in commit.entries.iter().filter(|entry| entry.is_new()) {
                    let newcomer = Newcomer { moment, side: side(&entry.path, &entry.new) };
                    new.entry(commit.id.clone()).or_default().push(newcomer);
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

/// Follows the files that come on these legs to where they were added, or where the last leg ends.
pub(crate) fn follow(
    legs: Receiver<Leg>,
    errand: &Errand<'_>,
    ask: &Requests,
) -> Result<Found, HistoryError> {
    let mut follower = Follower {
        errand,
        ask,
        open: Elsewhere::default(),
        here: Moment::FIRST,
        new: Newcomers::new(),
        found: Found::new(),
    };
    let mut legs = legs.into_iter();
    let mut now = legs.next();
    while let Some(leg) = now {
        now = match (follower.open.is_empty(), follower.new.is_empty()) {
            (false, _) => follower.walk(leg, &mut legs)?,
            (true, true) => follower.look(leg).map(|_| legs.next())?,
            // Nothing else is to be done until the end of the leg.
            (true, false) => {
                let so_far = Leg { end: follower.here, new: Newcomers::new() };
                follower.look(so_far).map(|_| Some(leg))?
            }
        };
    }
    Ok(follower.found)
}

struct Follower<'a> {
    errand: &'a Errand<'a>,
    ask: &'a Requests,
    /// The files that are followed.
    open: Elsewhere,
    /// How far it is.
    here: Moment,
    /// Files that came on this leg to where others are followed.
    new: Newcomers,
    found: Found,
}

impl Follower<'_> {
    /// Walks along the files that are followed, until there are others to follow; the leg to go on with.
    fn walk(&mut self, leg: Leg, legs: &mut IntoIter<Leg>) -> Result<Option<Leg>, HistoryError> {
        let route = self.open.route(&self.errand.route, self.here.number);
        let mut leg = Some(leg);
        let mut turn = None;
        let walked = walk(self.errand.git, &route, self.errand.deadline, |commit, number| {
            let moment = Moment::of(&commit, number);
            while let Some(ended) = leg.take_if(|leg| leg.end < moment) {
                let looked = self.look(ended);
                leg = legs.next();
                if leg.is_none() || !matches!(looked, Ok(false)) {
                    turn = Some(looked);
                    return ControlFlow::Break(());
                }
            }
            self.here = moment;
            self.found.take_in(commit, number, &mut self.open, &mut self.new, self.ask);
            if self.open.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        self.found.end(walked);
        match turn {
            Some(looked) => looked.map(|_| leg),
            None => {
                // All were met where they were added, or nothing is older.
                self.open = Elsewhere::default();
                Ok(leg)
            }
        }
    }

    /// Looks for where the files that came on a leg were before, and follows them to its end. Says whether some are older.
    fn look(&mut self, leg: Leg) -> Result<bool, HistoryError> {
        self.here = leg.end;
        let mut is_more = false;
        let mut new = leg.new;
        for (commit, mut files) in std::mem::take(&mut self.new) {
            new.entry(commit).or_default().append(&mut files);
        }
        while !new.is_empty() {
            let searched =
                new.iter().flat_map(|(id, new)| new.iter().map(|new| (id.clone(), new.side.path.clone())));
            self.found.searched.extend(searched);
            let (mut followed, doubtful) = verified(arrivals(&new, self.errand)?, self.errand)?;
            self.found.doubtful.extend(doubtful);
            let mut open = Elsewhere::of(&followed);
            if self.open.size() + open.size() > ROOM {
                self.found.doubtful.append(&mut followed);
                break;
            }
            new = self.catch_up(&followed, &mut open, leg.end)?;
            self.found.followed.append(&mut followed);
            is_more |= !open.is_empty();
            self.open.extend(open);
        }
        Ok(is_more)
    }

    /// Follows files from where they left to the end of a leg; those that came there are handed over.
    fn catch_up(
        &mut self,
        followed: &[Arrival],
        open: &mut Elsewhere,
        end: Moment,
    ) -> Result<Newcomers, HistoryError> {
        let mut new = Newcomers::new();
        followed.iter().filter_map(|arrival| arrival.old.asked()).for_each(|asked| self.ask.ask(asked));
        let first = followed.iter().map(|arrival| arrival.moment).min();
        let Some(first) = first.filter(|first| *first < end) else { return Ok(new) };
        let route = open.route(&self.errand.route, first.number);
        let walked = walk(self.errand.git, &route, self.errand.deadline, |commit, number| {
            if end < Moment::of(&commit, number) {
                return ControlFlow::Break(());
            }
            self.found.take_in(commit, number, open, &mut new, self.ask);
            if open.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        self.found.end(walked);
        Ok(new)
    }
}
