//! Compares the versions of all edges, in parallel.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::LineChange;
use crate::versions::compare::{Comparison, Link, compare};
use crate::versions::version::Version;
use crate::walk::result::{Edge, WalkResult, threads};

/// The effect of an edge on the kept lines.
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
    Each {
        /// Indices into [`Step::changes`] of the changes that this edge made to the lines.
        changes: Vec<Option<usize>>,
        /// The kept lines they were, in each of the old versions, as indices into the kept lines there.
        was: Vec<Vec<Option<u32>>>,
    },
}

/// Compares along every edge; nothing where a version could not be read.
pub(crate) fn steps(result: &WalkResult) -> Vec<Option<Step>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(edge) = result.edges.get(index) else { return done };
            done.push((index, step(result, edge)));
        }
    };
    let done = thread::scope(|scope| {
        let workers = (0..threads()).map(|_| scope.spawn(work)).collect::<Vec<_>>();
        workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect::<Vec<_>>()
    });
    let mut steps = Vec::new();
    steps.resize_with(result.edges.len(), || None);
    for (index, step) in done {
        steps[index] = step;
    }
    steps
}

fn step(result: &WalkResult, edge: &Edge) -> Option<Step> {
    let new = result.version(&edge.new)?;
    let old = edge.old.iter().map(|side| result.version(side)).collect::<Option<Vec<_>>>()?;
    // Most commits touch no kept line, and most merges take a file from one parent.
    let is_same = |old: &Version<'_>| old.print == new.print && old.kept.len() == new.kept.len();
    if let Some(parent) = old.iter().position(is_same) {
        return Some(Step { lines: Lines::Same { parent }, changes: Vec::new() });
    }
    let comparisons = old.iter().map(|&old| compare(old, new)).collect::<Vec<_>>();
    let changes = Vec::new();
    Some(Build { result, edge, old: &old, new, comparisons: &comparisons, changes }.build())
}

struct Build<'a> {
    result: &'a WalkResult,
    edge: &'a Edge,
    old: &'a [Version<'a>],
    new: Version<'a>,
    comparisons: &'a [Comparison],
    changes: Vec<LineChange>,
}

impl Build<'_> {
    fn build(mut self) -> Step {
        let mut was = vec![vec![None; self.new.kept.len()]; self.old.len()];
        let changes = (0..self.new.kept.len()).map(|ordinal| self.origin(ordinal, &mut was)).collect();
        // A line that a merge lacks was deleted on one of its sides; only an ordinary commit deletes by itself.
        if let [comparison] = self.comparisons {
            for &(old, new) in &comparison.lost {
                self.change(0, Some(old), new);
            }
        }
        Step { lines: Lines::Each { changes, was }, changes: self.changes }
    }

    /// A line that a parent has comes from there; one that no parent has is a change of this commit.
    fn origin(&mut self, ordinal: usize, was: &mut [Vec<Option<u32>>]) -> Option<usize> {
        let links = self.comparisons.iter().map(|comparison| comparison.links[ordinal]).enumerate();
        let mut is_same = false;
        for (parent, link) in links.clone() {
            if let Link::Same(before) = link {
                was[parent][ordinal] = Some(before);
                is_same = true;
            }
        }
        if is_same {
            return None;
        }
        let mut from = None;
        for (parent, link) in links {
            if let Link::Changed(line) = link {
                was[parent][ordinal] = self.old[parent].ordinal(line);
                from = from.or(Some((parent, line)));
            }
        }
        let (parent, old) = from.map_or((0, None), |(parent, line)| (parent, Some(line)));
        Some(self.change(parent, old, Some(self.new.kept[ordinal])))
    }

    fn change(&mut self, parent: usize, old: Option<u32>, new: Option<u32>) -> usize {
        let commit = &self.result.commits[self.edge.commit];
        let before = &self.old[parent];
        let number = |line: u32| line as usize + 1;
        self.changes.push(LineChange {
            commit: commit.id.clone(),
            time: commit.time.seconds(),
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
