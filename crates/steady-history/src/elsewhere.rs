//! Files outside of a folder that later became files of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::arrivals::Arrival;
use crate::log::Logged;
use crate::moment::Moment;

/// Files elsewhere, with the commits they left with, until they are met where they were added.
#[derive(Debug, Default)]
pub(crate) struct Elsewhere {
    files: BTreeMap<PathBuf, BTreeSet<Moment>>,
}

impl Elsewhere {
    pub(crate) fn of(arrivals: &[Arrival]) -> Self {
        let mut elsewhere = Self::default();
        for Arrival { moment, old, .. } in arrivals {
            elsewhere.files.entry(old.path.clone()).or_default().insert(*moment);
        }
        elsewhere
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.keys()
    }

    /// How long the paths are, all together.
    pub(crate) fn size(&self) -> usize {
        self.files.keys().map(|path| path.as_os_str().len()).sum()
    }

    pub(crate) fn extend(&mut self, other: Self) {
        for (path, left) in other.files {
            self.files.entry(path).or_default().extend(left);
        }
    }

    /// Whether what a commit did to a path was done to one of the files: it left later.
    pub(crate) fn contains(&self, path: &Path, moment: Moment) -> bool {
        self.files.get(path).and_then(BTreeSet::first).is_some_and(|left| *left < moment)
    }

    /// Lets go of the files that a commit added: what was before at their path is another file.
    pub(crate) fn pass(&mut self, commit: &Logged, moment: Moment) {
        for entry in commit.entries.iter().filter(|entry| entry.is_new()) {
            if let Some(left) = self.files.get_mut(&entry.path) {
                *left = left.split_off(&moment);
                if left.is_empty() {
                    self.files.remove(&entry.path);
                }
            }
        }
    }
}
