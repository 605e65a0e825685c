//! The earlier paths of renamed files, followed back to the commits that added them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use indexmap::IndexMap;

use crate::git::log::Logged;
use crate::rename::source::{Rename, specifications};
use crate::walk::route::Route;

/// Renamed files that have not reached the commit that added them. Whether a commit came before the rename is decided by its place among the
/// ancestors, not by its time: commit times may be wrong or too coarse.
#[derive(Debug, Default)]
pub(crate) struct RenameTrails {
    trails: Vec<RenameTrail>,
    /// The commits visited in this walk: a commit may be visited before it turns out to be on a trail.
    met: IndexMap<String, Logged>,
}

/// The files that one commit renamed, followed back together.
#[derive(Debug)]
struct RenameTrail {
    files: BTreeSet<PathBuf>,
    /// The next commits on it.
    next: BTreeSet<String>,
    /// For each visited commit, whether it was on this trail.
    passed: Vec<bool>,
}

impl RenameTrails {
    pub(crate) fn of(renames: &[Rename]) -> Self {
        let mut trails: BTreeMap<&str, RenameTrail> = BTreeMap::new();
        for Rename { id, parent, old, .. } in renames {
            let begin = || RenameTrail {
                files: BTreeSet::new(),
                next: BTreeSet::from([parent.clone()]),
                passed: Vec::new(),
            };
            trails.entry(id).or_insert_with(begin).files.insert(old.path.clone());
        }
        Self { trails: trails.into_values().collect(), met: IndexMap::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.trails.is_empty()
    }

    pub(crate) fn paths(&self) -> BTreeSet<&PathBuf> {
        self.trails.iter().flat_map(|trail| &trail.files).collect()
    }

    /// The total length of the paths, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.paths().iter().map(|path| path.as_os_str().len()).sum()
    }

    /// The commits to continue with.
    fn next(&self) -> Vec<String> {
        let next = self.trails.iter().flat_map(|trail| &trail.next).collect::<BTreeSet<_>>();
        next.into_iter().cloned().collect()
    }

    /// The route to continue on, beside a route that has visited this many commits; starts a new walk. It has no limit of its own: it
    /// ends where that route ends.
    pub(crate) fn route(&mut self, beside: &Route, passed: usize) -> Route {
        self.met.clear();
        self.trails.iter_mut().for_each(|trail| trail.passed.clear());
        let paths = specifications(self.paths().into_iter());
        Route { from: self.next(), paths, passed, depth: usize::MAX, ..beside.clone() }
    }

    pub(crate) fn extend(&mut self, other: Self) {
        self.trails.extend(other.trails);
    }

    /// Visits a commit; returns what it, and the commits that now turn out to be on a trail, did to the files. A file is dropped at the
    /// commit that added it: an older file at its path is another one.
    pub(crate) fn pass(&mut self, commit: Logged) -> Vec<Logged> {
        let (first, _) = self.met.insert_full(commit.id.clone(), commit);
        let (mut due, mut done) = (vec![first], Vec::new());
        while let Some(place) = due.pop() {
            let Some((id, commit)) = self.met.get_index(place) else { continue };
            let mut entries = BTreeSet::new();
            for trail in &mut self.trails {
                if trail.next.remove(id) {
                    entries.extend(trail.take(commit));
                    due.extend(trail.step(place, commit, &self.met));
                }
            }
            if !entries.is_empty() {
                let entries = entries.into_iter().map(|entry| commit.entries[entry].clone()).collect();
                done.push(Logged { entries, ..commit.clone() });
            }
        }
        self.trails.retain(|trail| !trail.files.is_empty() && !trail.next.is_empty());
        done
    }
}

impl RenameTrail {
    /// The indices of a commit's entries that concern the files.
    fn take(&mut self, commit: &Logged) -> Vec<usize> {
        let mut taken = Vec::new();
        for (place, entry) in commit.entries.iter().enumerate() {
            let takes = match entry.is_new() {
                true => self.files.remove(&entry.path),
                false => self.files.contains(&entry.path),
            };
            taken.extend(takes.then_some(place));
        }
        taken
    }

    /// Continues with a commit's parents; returns those that were visited before.
    fn step(&mut self, place: usize, commit: &Logged, met: &IndexMap<String, Logged>) -> Vec<usize> {
        self.passed.resize(met.len(), false);
        self.passed[place] = true;
        let known = commit.parents.iter().map(|parent| (parent, met.get_index_of(parent)));
        let ahead = known.filter(|(_, met)| met.is_none_or(|met| !self.passed[met])).collect::<Vec<_>>();
        self.next.extend(ahead.iter().map(|(parent, _)| (*parent).clone()));
        ahead.into_iter().filter_map(|(_, met)| met).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::log::Entry;
    use crate::walk::commit_time::CommitTime;
    use crate::walk::result::Side;

    fn left(id: &str, parent: &str, path: &str) -> Rename {
        let side = |path: &str| Side { path: path.into(), blob: Some("b".to_owned()) };
        let (id, parent) = (id.to_owned(), parent.to_owned());
        Rename { id, parent, time: CommitTime::FIRST, new: side("new"), old: side(path) }
    }

    /// The paths that are left of a commit.
    fn pass(trails: &mut RenameTrails, id: &str, parents: &[&str], entries: &[(&str, bool)]) -> Vec<PathBuf> {
        let blob = || Some("b".to_owned());
        let entry = |&(path, is_new): &(&str, bool)| {
            let old = if is_new { None } else { blob() };
            Entry { path: path.into(), old: vec![old], new: blob() }
        };
        let commit = Logged {
            id: id.to_owned(),
            parents: parents.iter().map(ToString::to_string).collect(),
            time: 0,
            subject: String::new(),
            entries: entries.iter().map(entry).collect(),
        };
        let done = trails.pass(commit);
        done.into_iter().flat_map(|commit| commit.entries).map(|entry| entry.path).collect()
    }

    #[test]
    fn every_way_that_is_open_is_taken_up_again() {
        let mut trails = RenameTrails::of(&[left("rename", "merge", "a")]);
        pass(&mut trails, "merge", &["left", "right"], &[]);
        pass(&mut trails, "right", &["base"], &[]);
        assert_eq!(trails.next(), ["base", "left"]);
    }

    #[test]
    fn only_what_was_done_before_a_file_left_was_done_to_it() {
        let mut trails = RenameTrails::of(&[left("one", "c4", "a"), left("two", "c2", "b")]);
        assert_eq!(pass(&mut trails, "c4", &["c3"], &[("a", false), ("b", false)]), [PathBuf::from("a")]);
        assert!(pass(&mut trails, "c9", &["c8"], &[("a", false)]).is_empty());
        pass(&mut trails, "c3", &["c2"], &[]);
        assert_eq!(pass(&mut trails, "c2", &["c1"], &[("a", false), ("b", false)]).len(), 2);
    }

    #[test]
    fn a_commit_that_was_met_too_early_counts_when_its_trail_comes_to_it() {
        let mut trails = RenameTrails::of(&[left("one", "c4", "a"), left("two", "c2", "b")]);
        assert!(pass(&mut trails, "c2", &["c1"], &[("a", false)]).is_empty());
        assert!(pass(&mut trails, "c1", &["c0"], &[("a", true)]).is_empty());
        assert!(pass(&mut trails, "c4", &["c3"], &[]).is_empty());
        assert_eq!(pass(&mut trails, "c3", &["c2"], &[]).len(), 2);
        assert_eq!(trails.paths().len(), 1);
    }

    #[test]
    fn where_ways_meet_again_no_commit_is_passed_twice() {
        let mut trails = RenameTrails::of(&[left("one", "m0", "a")]);
        pass(&mut trails, "m0", &["l0", "r0"], &[]);
        // Every base is met before the second way that leads to it.
        for round in 0..40 {
            let named = |name: &str, number: usize| format!("{name}{number}");
            let base = named("m", round + 1);
            pass(&mut trails, &named("l", round), &[&base], &[]);
            let ahead = [named("l", round + 1), named("r", round + 1)];
            assert_eq!(pass(&mut trails, &base, &[&ahead[0], &ahead[1]], &[("a", false)]).len(), 1);
            assert!(pass(&mut trails, &named("r", round), &[&base], &[]).is_empty());
        }
    }

    #[test]
    fn a_file_is_let_go_where_it_was_added() {
        let mut trails = RenameTrails::of(&[left("one", "c2", "a"), left("two", "c2", "a")]);
        assert_eq!(pass(&mut trails, "c2", &["c1"], &[("a", true)]), [PathBuf::from("a")]);
        assert!(trails.is_empty());
    }

    #[test]
    fn where_nothing_is_older_nothing_is_followed() {
        let mut trails = RenameTrails::of(&[left("one", "root", "a")]);
        pass(&mut trails, "root", &[], &[]);
        assert!(trails.is_empty());
    }
}
