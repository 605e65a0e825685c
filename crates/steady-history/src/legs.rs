//! The walk along a folder's own past. A file that came from elsewhere is followed there on the way: to walk once with more paths costs a
//! quarter more, to walk again costs as much again.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread::{self, Scope, ScopedJoinHandle};

use crate::HistoryError;
use crate::arrivals::{Arrival, Newcomers, arrivals, newcomers, specifications, verified};
use crate::gather::{Errand, Harvest, Requests};
use crate::log::Logged;
use crate::walk::{self, Route, Walked};

/// After so many commits the walk looks whether files came from elsewhere.
const LEG: usize = 1000;
/// So many commits later it wants to know: always as many, so that the same is found every time.
const PATIENCE: usize = 200;
/// No more files than this are followed on the way.
const FOLLOWED: usize = 200;

/// Walks the route of an errand to its end.
pub(crate) fn walk(
    harvest: &mut Harvest,
    errand: &Errand<'_>,
    ask: &Requests,
) -> Result<Walked, HistoryError> {
    thread::scope(|scope| {
        let mut walker = Walker {
            harvest,
            errand,
            ask,
            scope,
            search: None,
            elsewhere: BTreeMap::new(),
            is_straight: true,
        };
        let mut route = errand.route.clone();
        let mut oldest = i64::MAX;
        loop {
            let mut turn = Ok(None);
            let walked = walk::walk(errand.git, &route, errand.deadline, |commit, number| {
                walker.pass(commit, number);
                match number % LEG {
                    0 => walker.look(number),
                    PATIENCE => turn = walker.turn(),
                    _ => {}
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

/// What a search found: files that came from elsewhere, and those that may have.
type Found = Result<(Vec<Arrival>, Vec<Arrival>), HistoryError>;

struct Walker<'scope, 'a> {
    harvest: &'a mut Harvest,
    errand: &'scope Errand<'scope>,
    ask: &'a Requests,
    scope: &'scope Scope<'scope, 'a>,
    search: Option<ScopedJoinHandle<'scope, Found>>,
    /// The files elsewhere that became files of the folder, with the numbers of the commits they left with, until they are met where
    /// they were added.
    elsewhere: BTreeMap<PathBuf, BTreeSet<usize>>,
    /// Whether every commit so far led to one other: what comes next is before all of them.
    is_straight: bool,
}

impl Walker<'_, '_> {
    fn pass(&mut self, commit: Logged, number: usize) {
        let Self { harvest, errand, elsewhere, .. } = self;
        self.is_straight &= commit.parents <= 1;
        let added = commit.entries.iter().filter(|entry| entry.is_new()).map(|entry| entry.path.clone());
        let added = added.collect::<Vec<_>>();
        let is_followed = |path: &Path| {
            elsewhere.get(path).is_some_and(|left| left.first().is_some_and(|left| *left < number))
        };
        let wanted = |path: &Path| (errand.wanted)(path) || is_followed(path);
        harvest.take_in(commit, number, errand, wanted, self.ask);
        for path in added {
            // Who left this path before is another file.
            let left = elsewhere.remove(&path).map(|mut left| left.split_off(&number));
            elsewhere.extend(left.filter(|left| !left.is_empty()).map(|left| (path, left)));
        }
    }

    /// New files that are still to be looked for. Where a commit also took files away, those that came may be the same; that is found
    /// out when all are read.
    fn newcomers(&mut self) -> Newcomers {
        let gone = self.harvest.edges.iter().filter(|edge| edge.new.blob.is_none());
        let gone = gone.map(|edge| edge.commit).collect::<BTreeSet<_>>();
        newcomers(self.harvest, |edge| !gone.contains(&edge.commit))
    }

    /// Begins to look for where new files came from, if it is worthwhile to follow them.
    fn look(&mut self, number: usize) {
        if !self.is_straight || number + LEG > self.errand.route.depth {
            return;
        }
        let (new, errand) = (self.newcomers(), self.errand);
        if !new.is_empty() {
            self.search = Some(self.scope.spawn(move || verified(arrivals(&new, errand)?, errand)));
        }
    }

    /// What was found since; those that only may have come from elsewhere are left for later.
    fn found(&mut self) -> Result<Vec<Arrival>, HistoryError> {
        let found = self.search.take().and_then(|search| search.join().ok());
        let (found, doubtful) = found.unwrap_or_else(|| Ok(Default::default()))?;
        self.harvest.doubtful.extend(doubtful);
        Ok(found)
    }

    /// Where to go on, if files came from elsewhere: before the newest commit that brought some.
    fn turn(&mut self) -> Result<Option<Route>, HistoryError> {
        let found = self.found()?;
        let Self { harvest, errand, elsewhere, .. } = self;
        if elsewhere.len() + found.len() > FOLLOWED {
            harvest.doubtful.extend(found);
            return Ok(None);
        }
        let newest = found.iter().map(|arrival| &harvest.commits[arrival.commit]);
        let Some(newest) = newest.min_by_key(|commit| commit.number) else { return Ok(None) };
        let (from, passed) = (vec![format!("{}^", newest.id)], newest.number);
        for arrival in &found {
            harvest.want(&arrival.old, self.ask);
            let left = harvest.commits[arrival.commit].number;
            elsewhere.entry(arrival.old.path.clone()).or_default().insert(left);
        }
        harvest.followed.extend(found);
        let mut paths = errand.route.paths.clone();
        paths.extend(specifications(elsewhere.keys()));
        Ok(Some(Route { from, paths, passed, ..errand.route.clone() }))
    }

    /// Looks for the rest while the last files are read.
    fn finish(mut self) -> Result<(), HistoryError> {
        let found = self.found()?;
        let rest = arrivals(&self.newcomers(), self.errand)?;
        self.harvest.doubtful.extend(found.into_iter().chain(rest));
        Ok(())
    }
}
