//! Compares the versions along the edges, many at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::LineChange;
use crate::compare::{Comparison, Link, compare};
use crate::gather::{Edge, Harvest, threads};
use crate::version::Version;

/// What an edge did to the kept lines.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) lines: Lines,
    pub(crate) changes: Vec<LineChange>,
}

/// Where the kept lines of the new version come from.
#[derive(Debug)]
pub(crate) enum Lines {
    /// All from the same places in one of the old versions.
    Same { parent: usize },
    /// Each from its own.
    Each(Vec<Origin>),
}

/// Where a kept line comes from.
#[derive(Debug)]
pub(crate) struct Origin {
    /// Its place in [`Step::changes`], if the edge made it what it is.
    pub(crate) change: Option<usize>,
    /// The kept lines it was: old version, and place among those kept in it.
    pub(crate) was: Vec<(usize, u32)>,
}

/// Compares along every edge; nothing where a version could not be read.
pub(crate) fn steps(harvest: &Harvest) -> Vec<Option<Step>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(edge) = harvest.edges.get(index) else { return done };
            done.push((index, step(harvest, edge)));
        }
    };
    let done = thread::scope(|scope| {
        let workers = (0..threads()).map(|_| scope.spawn(work)).collect::<Vec<_>>();
        workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect::<Vec<_>>()
    });
    let mut steps = Vec::new();
    steps.resize_with(harvest.edges.len(), || None);
    for (index, step) in done {
        steps[index] = step;
    }
    steps
}

fn step(harvest: &Harvest, edge: &Edge) -> Option<Step> {
    let new = harvest.version(&edge.new)?;
    let old = edge.old.iter().map(|side| harvest.version(side)).collect::<Option<Vec<_>>>()?;
    // Most commits touch none of the lines kept, and most merges take a file as one side has it.
    let is_same = |old: &Version<'_>| old.print == new.print && old.kept.len() == new.kept.len();
    if let Some(parent) = old.iter().position(is_same) {
        return Some(Step { lines: Lines::Same { parent }, changes: Vec::new() });
    }
    let comparisons = old.iter().map(|&old| compare(old, new)).collect::<Vec<_>>();
    let changes = Vec::new();
    Some(Build { harvest, edge, old: &old, new, comparisons: &comparisons, changes }.build())
}

struct Build<'a> {
    harvest: &'a Harvest,
    edge: &'a Edge,
    old: &'a [Version<'a>],
    new: Version<'a>,
    comparisons: &'a [Comparison],
    changes: Vec<LineChange>,
}

impl Build<'_> {
    fn build(mut self) -> Step {
        let lines = (0..self.new.kept.len()).map(|ordinal| self.origin(ordinal)).collect();
        // What a merge lacks was taken away on one of its sides; only an ordinary commit takes away by itself.
        if let [comparison] = self.comparisons {
            for &(old, new) in &comparison.lost {
                self.change(0, Some(old), new);
            }
        }
        Step { lines: Lines::Each(lines), changes: self.changes }
    }

    /// A line that some parent has comes from there; one that none has is the commit's own.
    fn origin(&mut self, ordinal: usize) -> Origin {
        let links = self.comparisons.iter().map(|comparison| comparison.links[ordinal]).enumerate();
        let same = links.clone().filter_map(|(parent, link)| match link {
            Link::Same(was) => Some((parent, was)),
            Link::Changed(_) | Link::Added => None,
        });
        let same = same.collect::<Vec<_>>();
        if !same.is_empty() {
            return Origin { change: None, was: same };
        }
        let changed = links.filter_map(|(parent, link)| match link {
            Link::Changed(line) => Some((parent, line)),
            Link::Same(_) | Link::Added => None,
        });
        let changed = changed.collect::<Vec<_>>();
        let (parent, old) = changed.first().map_or((0, None), |&(parent, line)| (parent, Some(line)));
        let change = self.change(parent, old, Some(self.new.kept[ordinal]));
        let was =
            changed.iter().filter_map(|&(parent, line)| Some((parent, self.old[parent].ordinal(line)?)));
        Origin { change: Some(change), was: was.collect() }
    }

    fn change(&mut self, parent: usize, old: Option<u32>, new: Option<u32>) -> usize {
        let commit = &self.harvest.commits[self.edge.commit];
        let before = &self.old[parent];
        let number = |line: u32| line as usize + 1;
        self.changes.push(LineChange {
            commit: commit.id.clone(),
            time: commit.time,
            subject: commit.subject.clone(),
            path: self.edge.new.path.clone(),
            old_line: old.map(number),
            old: old.map(|line| before.line(line).to_owned()),
            new_line: new.map(number),
            new: new.map(|line| self.new.line(line).to_owned()),
            hunk_before: match (old, new) {
                (Some(line), _) => before.above(line),
                (None, Some(line)) => self.new.above(line),
                (None, None) => [None, None],
            },
        });
        self.changes.len() - 1
    }
}
