//! The walk along a folder's own past. A file that came from elsewhere is followed there on the way: to walk once with more paths costs a
//! quarter more, to walk again costs as much again.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::path::Path;
use std::thread::{self, Scope, ScopedJoinHandle};

use crate::HistoryError;
use crate::arrivals::{Arrival, Newcomers, arrivals, newcomers, specifications, verified};
use crate::elsewhere::Elsewhere;
use crate::gather::{Errand, Harvest};
use crate::log::Logged;
use crate::requests::Requests;
use crate::walk::{Route, Walked, walk};

/// After so many commits the walk looks whether files came from elsewhere.
const LEG: usize = 1000;
/// So many commits later it wants to know: always as many, so that the same is found every time.
const PATIENCE: usize = 800;
/// Only as many files are followed on the way as fit on a command line, in bytes.
const ROOM: usize = 50_000;

/// Walks the route of an errand to its end.
pub(crate) fn walk_legs(
    harvest: &mut Harvest,
    errand: &Errand<'_>,
    ask: &Requests,
) -> Result<Walked, HistoryError> {
    thread::scope(|scope| {
        let elsewhere = Elsewhere::default();
        let mut walker = Walker { harvest, errand, ask, scope, search: None, elsewhere, is_straight: true };
        let mut route = errand.route.clone();
        let mut oldest = i64::MAX;
        loop {
            let mut turn = Ok(None);
            let walked = walk(errand.git, &route, errand.deadline, |commit, number| {
                let here = (number.is_multiple_of(LEG) && commit.parents == 1)
                    .then(|| Here { commit: commit.id.clone(), number });
                walker.pass(&commit, number);
                here.into_iter().for_each(|here| walker.look(here));
                if number % LEG == PATIENCE {
                    turn = walker.turn();
                }
                if matches!(turn, Ok(None)) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            oldest = oldest.min(walked.oldest);
            match turn? {
                Some(next) => route = next,
                None => return walker.finish().map(|()| Walked { oldest, ..walked }),
            }
        }
    })
}

struct Walker<'scope, 'a> {
    harvest: &'a mut Harvest,
    errand: &'scope Errand<'scope>,
    ask: &'a Requests,
    scope: &'scope Scope<'scope, 'a>,
    search: Option<ScopedJoinHandle<'scope, Result<Found, HistoryError>>>,
    /// The files elsewhere that are followed.
    elsewhere: Elsewhere,
    /// Whether every commit so far led to one other: what comes next is before all of them.
    is_straight: bool,
}

impl Walker<'_, '_> {
    fn pass(&mut self, commit: &Logged, number: usize) {
        self.is_straight &= commit.parents <= 1;
        let Self { harvest, errand, elsewhere, ask, .. } = self;
        let wanted = |path: &Path| (errand.wanted)(path) || elsewhere.contains(path, number);
        harvest.take_in(commit, number, errand, wanted, ask);
        elsewhere.pass(commit, number);
    }

    /// New files that are still to be looked for. Where a commit also took files away, those that came may be the same; that is found
    /// out when all are read.
    fn newcomers(&mut self) -> Newcomers {
        let gone = self.harvest.edges.iter().filter(|edge| edge.new.blob.is_none());
        let gone = gone.map(|edge| edge.commit).collect::<BTreeSet<_>>();
        newcomers(self.harvest, |edge| !gone.contains(&edge.commit))
    }

    /// Begins to look for where new files came from, if it is worthwhile to follow them.
    fn look(&mut self, here: Here) {
        if !self.is_straight || here.number + LEG > self.errand.route.depth {
            return;
        }
        let (new, errand) = (self.newcomers(), self.errand);
        if !new.is_empty() {
            self.search = Some(self.scope.spawn(move || search(&new, errand, here)));
        }
    }

    fn found(&mut self) -> Result<Option<Found>, HistoryError> {
        let joined =
            |search: ScopedJoinHandle<'_, _>| search.join().unwrap_or_else(|panic| resume_unwind(panic));
        self.search.take().map(joined).transpose()
    }

    /// Takes in what was found; where to go on, if files are to be followed from here.
    fn turn(&mut self) -> Result<Option<Route>, HistoryError> {
        let Some(Found { here, followed, doubtful, seen, open }) = self.found()? else { return Ok(None) };
        let Self { harvest, errand, elsewhere, .. } = self;
        harvest.doubtful.extend(doubtful);
        followed.iter().for_each(|arrival| harvest.want(&arrival.old, self.ask));
        harvest.followed.extend(followed);
        for (commit, number) in seen {
            harvest.take_in(&commit, number, errand, |_| true, self.ask);
        }
        let is_turn = !open.is_empty();
        elsewhere.extend(open);
        let mut paths = errand.route.paths.clone();
        paths.extend(specifications(elsewhere.paths()));
        let Here { commit, number } = here;
        let route = Route { from: vec![format!("{commit}^")], paths, passed: number, ..errand.route.clone() };
        Ok(is_turn.then_some(route))
    }

    /// Looks for the rest while the last files are read.
    fn finish(mut self) -> Result<(), HistoryError> {
        if let Some(Found { followed, doubtful, .. }) = self.found()? {
            self.harvest.doubtful.extend(followed.into_iter().chain(doubtful));
        }
        let rest = arrivals(&self.newcomers(), self.errand)?;
        self.harvest.doubtful.extend(rest);
        Ok(())
    }
}

/// A commit on the way.
struct Here {
    commit: String,
    number: usize,
}

/// What a search found.
struct Found {
    /// How far the walk was.
    here: Here,
    /// Files that came from elsewhere.
    followed: Vec<Arrival>,
    /// Files that may have.
    doubtful: Vec<Arrival>,
    /// What became of those from elsewhere between here and where they left.
    seen: Vec<(Logged, usize)>,
    /// Those that are older.
    open: Elsewhere,
}

/// Looks for where new files came from, and follows them as far as the walk was.
fn search(new: &Newcomers, errand: &Errand<'_>, here: Here) -> Result<Found, HistoryError> {
    let (mut followed, mut doubtful) = verified(arrivals(new, errand)?, errand)?;
    if followed.iter().map(|arrival| arrival.old.path.as_os_str().len()).sum::<usize>() > ROOM {
        doubtful.append(&mut followed);
    }
    let mut open = Elsewhere::of(&followed);
    let mut seen = Vec::new();
    if let Some(newest) = followed.iter().min_by_key(|arrival| arrival.number) {
        let route = Route {
            from: vec![format!("{}^", newest.id)],
            until: [format!("{}^", here.commit)].into_iter().chain(errand.route.until.clone()).collect(),
            paths: specifications(open.paths()),
            passed: newest.number,
            ..errand.route.clone()
        };
        walk(errand.git, &route, errand.deadline, |mut commit, number| {
            commit.entries.retain(|entry| open.contains(&entry.path, number));
            open.pass(&commit, number);
            if !commit.entries.is_empty() {
                seen.push((commit, number));
            }
            if open.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
    }
    Ok(Found { here, followed, doubtful, seen, open })
}
