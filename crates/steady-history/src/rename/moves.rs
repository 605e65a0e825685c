//! Joins deleted and added files into renames. git is not asked to detect them, because it would read every file of the repository.

use std::collections::{BTreeMap, BTreeSet};

use crate::rename::source::{self, ALIKE, Rename, not_searched};
use crate::walk::result::{Side, WalkRequest, WalkResult};
use crate::{HistoryError, Query};

/// In a commit with more deleted files than this, only exact copies and equal names are compared.
const CANDIDATES: usize = 40;
/// How often a file is followed into another folder.
const HOPS: usize = 3;
/// The total length of the paths that are followed, in bytes: they have to fit on a command line.
const ROOM: usize = 100_000;

/// Joins renamed files, also across folders; commits before `since` are not visited.
pub(crate) fn follow(
    result: &mut WalkResult,
    request: &WalkRequest<'_>,
    query: &Query<'_>,
    since: i64,
) -> Result<(), HistoryError> {
    let followed = std::mem::take(&mut result.followed);
    join_followed(result, followed);
    for _ in 0..HOPS {
        join(result);
        let mut renames = std::mem::take(&mut result.doubtful);
        renames.extend(source::find_renames(&not_searched(result), request)?);
        result.read(renames.iter().map(|rename| &rename.old), request, query)?;
        let mut room = ROOM;
        renames.retain(|rename| {
            room = room.saturating_sub(rename.old.path.as_os_str().len() + rename.id.len());
            room > 0 && rename.is_alike(&result.files)
        });
        if renames.is_empty() {
            break;
        }
        result.follow(&renames, request, query, since)?;
        join_followed(result, renames);
    }
    Ok(())
}

/// Connects added files with the files they were before.
fn join_followed(result: &mut WalkResult, renames: Vec<Rename>) {
    let WalkResult { commits, edges, .. } = result;
    let mut gone = BTreeSet::new();
    let mut came = BTreeMap::new();
    for Rename { id, new, old, .. } in renames {
        gone.insert((id.clone(), old.path.clone()));
        came.insert((id, new.path), old);
    }
    for edge in edges.iter_mut().filter(|edge| edge.is_new()) {
        if let Some(old) = came.remove(&(commits[edge.commit].id.clone(), edge.new.path.clone())) {
            edge.old = vec![old];
        }
    }
    // A walk from a later commit recorded the deletion.
    edges.retain(|edge| {
        edge.new.blob.is_some() || !gone.contains(&(commits[edge.commit].id.clone(), edge.new.path.clone()))
    });
}

/// Joins deletions and additions of one commit into renames, where the walk has both.
fn join(result: &mut WalkResult) {
    let mut gone: BTreeMap<usize, Vec<Side>> = BTreeMap::new();
    for edge in &result.edges {
        if let ([old], None) = (edge.old.as_slice(), &edge.new.blob) {
            gone.entry(edge.commit).or_default().push(old.clone());
        }
    }
    let mut moved = BTreeSet::new();
    let mut edges = std::mem::take(&mut result.edges);
    for edge in edges.iter_mut().filter(|edge| edge.is_new()) {
        let Some(gone) = gone.get_mut(&edge.commit) else { continue };
        if let Some(index) = best(result, gone, &edge.new) {
            let source = gone.swap_remove(index);
            moved.insert((edge.commit, source.path.clone()));
            edge.old = vec![source];
        }
    }
    edges.retain(|edge| edge.new.blob.is_some() || !moved.contains(&(edge.commit, edge.new.path.clone())));
    result.edges = edges;
}

/// The index of the deleted file that an added file was.
fn best(result: &WalkResult, gone: &[Side], new: &Side) -> Option<usize> {
    if let Some(copy) = gone.iter().position(|side| side.blob == new.blob) {
        return Some(copy);
    }
    let version = result.version(new)?;
    let same_name = |side: &&Side| side.path.file_name() == new.path.file_name();
    let likeness = |(index, side): (usize, &Side)| {
        if gone.len() > CANDIDATES && !same_name(&side) {
            return None;
        }
        Some((result.version(side)?.likeness(&version), same_name(&side), index))
    };
    let found = gone.iter().enumerate().filter_map(likeness).filter(|(alike, ..)| *alike >= ALIKE);
    found.max_by(|one, two| one.0.total_cmp(&two.0).then(one.1.cmp(&two.1))).map(|(.., index)| index)
}
