//! Files that got another name or place: git is not asked to guess, it would read every file of the repository for it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use crate::gather::{Edge, Errand, Harvest, Side};
use crate::git::Git;
use crate::log::{FORMAT, Log};
use crate::walk::{self, Route};
use crate::{HistoryError, Query};

/// From here on, a file that went and one that came are the same; git's own rule.
const ALIKE: f64 = 0.5;
/// A commit that moves more files than this is only searched for exact copies and equal names.
const CANDIDATES: usize = 40;

/// How often a file is followed to another folder.
const HOPS: usize = 3;
/// More files than this from one folder are asked for together.
const MANY: usize = 16;
/// Only as many files are followed there as fit on a command line, in bytes.
const ROOM: usize = 100_000;

/// Joins moved files into one, also those that came from other folders; the commits before `since` are left alone.
pub(crate) fn follow(
    harvest: &mut Harvest,
    errand: &Errand<'_>,
    query: &Query<'_>,
    since: i64,
) -> Result<(), HistoryError> {
    let mut searched = BTreeSet::new();
    for _ in 0..HOPS {
        join(harvest);
        let mut arrivals = arrivals(errand.git, harvest, &mut searched, errand.deadline)?;
        harvest.read(arrivals.iter().map(|arrival| &arrival.from), errand, query)?;
        let mut room = ROOM;
        arrivals.retain(|arrival| {
            room = room.saturating_sub(arrival.from.path.as_os_str().len() + arrival.commit.len());
            room > 0 && is_alike(harvest, &arrival.from, &harvest.edges[arrival.edge].new)
        });
        if arrivals.is_empty() {
            break;
        }
        let mut followed: BTreeMap<PathBuf, i64> = BTreeMap::new();
        for arrival in &arrivals {
            let time = harvest.commits[harvest.edges[arrival.edge].commit].time;
            let left = followed.entry(arrival.from.path.clone()).or_insert(time);
            *left = time.min(*left);
        }
        let paths = followed.keys().cloned().collect::<BTreeSet<_>>();
        let commits = arrivals.iter().map(|arrival| format!("{}^", arrival.commit)).collect::<BTreeSet<_>>();
        let route = Route {
            from: commits.into_iter().collect(),
            paths: specifications(&paths),
            since,
            ..errand.route.clone()
        };
        let wanted = &|path: &Path| paths.contains(path);
        let errand = Errand { route, wanted, followed, files: Vec::new(), ..*errand };
        harvest.gather(&errand, query)?;
        settle(harvest, arrivals);
    }
    Ok(())
}

/// What git is asked to look at for these files. It goes through all specifications for every file it meets: where many files came
/// from the same folder, the folder is quicker.
fn specifications(paths: &BTreeSet<PathBuf>) -> Vec<OsString> {
    let mut folders: BTreeMap<Option<&Path>, Vec<&Path>> = BTreeMap::new();
    for path in paths {
        folders.entry(path.parent()).or_default().push(path);
    }
    let chosen = folders.into_iter().flat_map(|(folder, files)| match folder {
        Some(folder) if files.len() > MANY && !folder.as_os_str().is_empty() => vec![folder],
        _ => files,
    });
    chosen.map(walk::specification).collect()
}

/// Joins the files that came with those they were.
fn settle(harvest: &mut Harvest, arrivals: Vec<Arrival>) {
    let mut moved = BTreeSet::new();
    for Arrival { edge, commit, from } in arrivals {
        moved.insert((commit, from.path.clone()));
        harvest.edges[edge].old = vec![from];
    }
    // A walk from a later commit saw them go.
    let Harvest { commits, edges, .. } = harvest;
    edges.retain(|edge| {
        edge.new.blob.is_some() || !moved.contains(&(commits[edge.commit].id.clone(), edge.new.path.clone()))
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
    for edge in edges.iter_mut().filter(|edge| is_new(edge)) {
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

fn is_new(edge: &Edge) -> bool {
    edge.new.blob.is_some() && matches!(edge.old.as_slice(), [Side { blob: None, .. }])
}

/// A file that came from somewhere else in the repository.
struct Arrival {
    /// The edge that added it.
    edge: usize,
    /// The commit that did.
    commit: String,
    /// Where it was before.
    from: Side,
}

/// Looks for where files came from that were new to the harvest.
fn arrivals(
    git: &Git,
    harvest: &Harvest,
    searched: &mut BTreeSet<(String, PathBuf)>,
    deadline: Instant,
) -> Result<Vec<Arrival>, HistoryError> {
    let mut new: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, edge) in harvest.edges.iter().enumerate().filter(|(_, edge)| is_new(edge)) {
        let commit = &harvest.commits[edge.commit].id;
        if searched.insert((commit.clone(), edge.new.path.clone())) {
            new.entry(commit).or_default().push(index);
        }
    }
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let options = ["--stdin", "-r", "--raw", "--no-abbrev", "-z", "--no-renames", "--no-relative"];
    let options = options.into_iter().chain(["--no-ext-diff", "--no-textconv", "--diff-filter=D", FORMAT]);
    let mut running = git.start("diff-tree", options.map(OsString::from), deadline)?;
    let (stdin, stdout) = (running.stdin(), running.stdout());
    let mut found = Vec::new();
    thread::scope(|scope| {
        let commits = new.keys().copied().collect::<Vec<_>>().join("\n") + "\n";
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(commits.as_bytes())));
        for commit in stdout.into_iter().flat_map(|stdout| Log::new(BufReader::new(stdout))) {
            let gone = commit.entries.into_iter().filter_map(|mut entry| {
                let blob = entry.old.pop().flatten();
                blob.is_some().then_some(Side { path: entry.path, blob })
            });
            let gone = gone.collect::<Vec<_>>();
            for &edge in new.get(commit.id.as_str()).into_iter().flatten() {
                if let Some(from) = source(&gone, &harvest.edges[edge].new) {
                    found.push(Arrival { edge, commit: commit.id.clone(), from });
                }
            }
        }
    });
    running.finish()?;
    Ok(found)
}

/// Where a file came from: an exact copy, else one of the same name whose path has the most in common.
fn source(gone: &[Side], new: &Side) -> Option<Side> {
    let common = |path: &Path| {
        path.components().rev().zip(new.path.components().rev()).take_while(|(one, two)| one == two).count()
    };
    let rank = |side: &&Side| (side.blob == new.blob, common(&side.path));
    let alike = |side: &&Side| side.blob == new.blob || side.path.file_name() == new.path.file_name();
    gone.iter().filter(alike).max_by_key(rank).cloned()
}

/// Whether what was taken for the same file is alike enough.
fn is_alike(harvest: &Harvest, old: &Side, new: &Side) -> bool {
    let both = harvest.version(old).zip(harvest.version(new));
    old.blob == new.blob || both.is_some_and(|(old, new)| old.likeness(&new) >= ALIKE)
}
