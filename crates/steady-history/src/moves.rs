//! Files that got another name or place: git is not asked to guess, it would read every file of the repository for it.

use std::collections::{BTreeMap, BTreeSet};

use crate::arrivals::{self, ALIKE, Arrival, latecomers};
use crate::gather::{Errand, Harvest, Side};
use crate::{HistoryError, Query};

/// A commit that moves more files than this is only searched for exact copies and equal names.
const CANDIDATES: usize = 40;
/// How often a file is followed to another folder.
const HOPS: usize = 3;
/// Only as many files are followed there as fit on a command line, in bytes.
const ROOM: usize = 100_000;

/// Joins moved files into one, also those that came from other folders; the commits before `since` are left alone.
pub(crate) fn follow(
    harvest: &mut Harvest,
    errand: &Errand<'_>,
    query: &Query<'_>,
    since: i64,
) -> Result<(), HistoryError> {
    let followed = std::mem::take(&mut harvest.followed);
    settle(harvest, followed);
    for _ in 0..HOPS {
        join(harvest);
        let mut arrivals = std::mem::take(&mut harvest.doubtful);
        arrivals.extend(arrivals::arrivals(&latecomers(harvest), errand)?);
        harvest.read(arrivals.iter().map(|arrival| &arrival.old), errand, query)?;
        let mut room = ROOM;
        arrivals.retain(|arrival| {
            room = room.saturating_sub(arrival.old.path.as_os_str().len() + arrival.id.len());
            room > 0 && arrival.is_alike(&harvest.files)
        });
        if arrivals.is_empty() {
            break;
        }
        harvest.follow(&arrivals, errand, query, since)?;
        settle(harvest, arrivals);
    }
    Ok(())
}

/// Joins the files that came with those they were.
fn settle(harvest: &mut Harvest, arrivals: Vec<Arrival>) {
    let Harvest { commits, edges, .. } = harvest;
    let mut gone = BTreeSet::new();
    let mut came = BTreeMap::new();
    for Arrival { id, new, old, .. } in arrivals {
        gone.insert((id.clone(), old.path.clone()));
        came.insert((id, new.path), old);
    }
    for edge in edges.iter_mut().filter(|edge| edge.is_new()) {
        if let Some(old) = came.remove(&(commits[edge.commit].id.clone(), edge.new.path.clone())) {
            edge.old = vec![old];
        }
    }
    // A walk from a later commit saw them go.
    edges.retain(|edge| {
        edge.new.blob.is_some() || !gone.contains(&(commits[edge.commit].id.clone(), edge.new.path.clone()))
    });
}

/// Joins what a commit deleted and added into moves, where both are in the harvest.
fn join(harvest: &mut Harvest) {
    let mut gone: BTreeMap<usize, Vec<Side>> = BTreeMap::new();
    for edge in &harvest.edges {
        if let ([old], None) = (edge.old.as_slice(), &edge.new.blob) {
            gone.entry(edge.commit).or_default().push(old.clone());
        }
    }
    let mut moved = BTreeSet::new();
    let mut edges = std::mem::take(&mut harvest.edges);
    for edge in edges.iter_mut().filter(|edge| edge.is_new()) {
        let Some(gone) = gone.get_mut(&edge.commit) else { continue };
        if let Some(index) = best(harvest, gone, &edge.new) {
            let source = gone.swap_remove(index);
            moved.insert((edge.commit, source.path.clone()));
            edge.old = vec![source];
        }
    }
    edges.retain(|edge| edge.new.blob.is_some() || !moved.contains(&(edge.commit, edge.new.path.clone())));
    harvest.edges = edges;
}

/// The file among those that went that came back as another.
fn best(harvest: &Harvest, gone: &[Side], new: &Side) -> Option<usize> {
    if let Some(copy) = gone.iter().position(|side| side.blob == new.blob) {
        return Some(copy);
    }
    let version = harvest.version(new)?;
    let same_name = |side: &&Side| side.path.file_name() == new.path.file_name();
    let likeness = |(index, side): (usize, &Side)| {
        if gone.len() > CANDIDATES && !same_name(&side) {
            return None;
        }
        Some((harvest.version(side)?.likeness(&version), same_name(&side), index))
    };
    let found = gone.iter().enumerate().filter_map(likeness).filter(|(alike, ..)| *alike >= ALIKE);
    found.max_by(|one, two| one.0.total_cmp(&two.0).then(one.1.cmp(&two.1))).map(|(.., index)| index)
}
