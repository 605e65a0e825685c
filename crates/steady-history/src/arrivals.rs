//! Files that came from somewhere else in the repository.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::thread;

use crate::blobs;
use crate::files::{Asked, Files};
use crate::gather::{Commit, Edge, Errand, Harvest, Side};
use crate::log::{FORMAT, Log};
use crate::moment::Moment;
use crate::{HistoryError, walk};

/// From here on, a file that went and one that came are the same; git's own rule.
pub(crate) const ALIKE: f64 = 0.5;
/// More files than this from one folder are asked for together.
const MANY: usize = 1;

/// A file that came from somewhere else.
#[derive(Debug, Clone)]
pub(crate) struct Arrival {
    /// The commit that brought it.
    pub(crate) id: String,
    /// The commit before that.
    pub(crate) parent: String,
    /// Where on the way it was met.
    pub(crate) moment: Moment,
    /// What it is called since.
    pub(crate) new: Side,
    /// What it was before.
    pub(crate) old: Side,
}

impl Arrival {
    /// Whether the two are alike enough to be the same file.
    pub(crate) fn is_alike(&self, files: &Files) -> bool {
        let version = |side: &Side| side.blob.as_ref().and_then(|blob| files.version(blob));
        let both = version(&self.old).zip(version(&self.new));
        self.old.blob == self.new.blob || both.is_some_and(|(old, new)| old.likeness(&new) >= ALIKE)
    }
}

/// New files, by the commits that brought them.
pub(crate) type Newcomers = BTreeMap<String, Vec<Newcomer>>;

/// A new file, and where on the way its commit was met.
pub(crate) struct Newcomer {
    pub(crate) moment: Moment,
    pub(crate) side: Side,
}

/// The new files that were taken in after so many edges and not looked for yet; they will be. Where a commit also took files away, those
/// that came may be the same; that is found out when all are read.
pub(crate) fn newcomers(harvest: &mut Harvest, after: usize) -> Newcomers {
    let edges = harvest.edges.get(after..).unwrap_or_default();
    let gone = edges.iter().filter(|edge| edge.new.blob.is_none()).map(|edge| edge.commit);
    let gone = gone.collect::<BTreeSet<_>>();
    let new = edges.iter().filter(|edge| edge.is_new() && !gone.contains(&edge.commit));
    unsearched(new, &harvest.commits, &mut harvest.searched)
}

/// All new files that were not looked for yet; they will be.
pub(crate) fn latecomers(harvest: &mut Harvest) -> Newcomers {
    let new = harvest.edges.iter().filter(|edge| edge.is_new());
    unsearched(new, &harvest.commits, &mut harvest.searched)
}

fn unsearched<'a>(
    edges: impl Iterator<Item = &'a Edge>,
    commits: &[Commit],
    searched: &mut BTreeSet<(String, PathBuf)>,
) -> Newcomers {
    let mut new = Newcomers::new();
    for edge in edges {
        let Commit { id, moment, .. } = &commits[edge.commit];
        if searched.insert((id.clone(), edge.new.path.clone())) {
            let newcomer = Newcomer { moment: *moment, side: edge.new.clone() };
            new.entry(id.clone()).or_default().push(newcomer);
        }
    }
    new
}

/// Looks for where new files came from.
pub(crate) fn arrivals(new: &Newcomers, errand: &Errand<'_>) -> Result<Vec<Arrival>, HistoryError> {
    let mut found = Vec::new();
    departures(errand, new.keys(), |id, parent, gone| {
        for Newcomer { moment, side } in new.get(id).into_iter().flatten() {
            let (id, parent, new) = (id.to_owned(), parent.to_owned(), side.clone());
            let old = source(gone, side);
            found.extend(old.map(|old| Arrival { id, parent, moment: *moment, new, old }));
        }
    })?;
    Ok(found)
}

/// Looks at commits, and hands over the one before each and what it took away, wherever that was.
fn departures<'a>(
    errand: &Errand<'_>,
    commits: impl Iterator<Item = &'a String>,
    mut found: impl FnMut(&str, &str, &[Side]),
) -> Result<(), HistoryError> {
    let commits = commits.flat_map(|commit| [commit.as_str(), "\n"]).collect::<String>();
    if commits.is_empty() {
        return Ok(());
    }
    let options = ["--stdin", "-r", "--raw", "--no-abbrev", "-z", "--no-renames", "--no-relative"];
    let options = options.into_iter().chain(["--no-ext-diff", "--no-textconv", "--diff-filter=D", FORMAT]);
    let mut running = errand.git.start("diff-tree", options.map(OsString::from), errand.deadline)?;
    let (stdin, stdout) = (running.stdin(), running.stdout());
    thread::scope(|scope| {
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(commits.as_bytes())));
        for commit in stdout.into_iter().flat_map(|stdout| Log::new(BufReader::new(stdout))) {
            let gone = commit.entries.into_iter().filter_map(|mut entry| {
                let blob = entry.old.pop().flatten();
                blob.is_some().then_some(Side { path: entry.path, blob })
            });
            let [parent] = commit.parents.as_slice() else { continue };
            found(&commit.id, parent, &gone.collect::<Vec<_>>());
        }
    });
    running.finish().map(drop)
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

/// Tells those that are the same file from the others, while the harvest is still being read.
pub(crate) fn verified(
    arrivals: Vec<Arrival>,
    errand: &Errand<'_>,
) -> Result<(Vec<Arrival>, Vec<Arrival>), HistoryError> {
    let edited = arrivals.iter().filter(|arrival| arrival.old.blob != arrival.new.blob);
    let asked = edited.flat_map(|arrival| [&arrival.old, &arrival.new]).filter_map(Side::asked);
    let asked = asked.collect::<Vec<Asked>>();
    let mut files = Files::default();
    blobs::read(errand.git, asked.into_iter(), errand.deadline, |asked, blob| {
        files.take_in(asked, blob, |_| false);
    })?;
    Ok(arrivals.into_iter().partition(|arrival| arrival.is_alike(&files)))
}

/// What git is asked to look at for these files. It goes through all specifications for every file it meets: where many files came
/// from the same folder, the folder is quicker.
pub(crate) fn specifications<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> Vec<OsString> {
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
