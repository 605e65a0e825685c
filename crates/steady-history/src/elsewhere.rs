//! Files outside of a folder that later became files of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::arrivals::Arrival;
use crate::log::Logged;

/// Files elsewhere, with the numbers of the commits they left with, until they are met where they were added.
#[derive(Debug, Default)]
pub(crate) struct Elsewhere {
    files: BTreeMap<PathBuf, BTreeSet<usize>>,
}

impl Elsewhere {
    pub(crate) fn of(arrivals: &[Arrival]) -> Self {
        let mut elsewhere = Self::default();
        for Arrival { number, old, .. } in arrivals {
            elsewhere.files.entry(old.path.clone()).or_default().insert(*number);
        }
        elsewhere
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.keys()
    }

    pub(crate) fn extend(&mut self, other: Self) {
        for (path, left) in other.files {
            self.files.entry(path).or_default().extend(left);
        }
    }

    /// Whether what the commit of this number did to a path was done to one of the files: it left later.
    pub(crate) fn contains(&self, path: &Path, number: usize) -> bool {
        self.files.get(path).and_then(BTreeSet::first).is_some_and(|left| *left < number)
    }

    /// Lets go of the files that a commit added: what was before at their path is another file.
    pub(crate) fn pass(&mut self, commit: &Logged, number: usize) {
        for entry in commit.entries.iter().filter(|entry| entry.is_new()) {
            if let Some(left) = self.files.get_mut(&entry.path) {
                *left = left.split_off(&number);
                if left.is_empty() {
                    self.files.remove(&entry.path);
                }
            }
        }
    }
}
