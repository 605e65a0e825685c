//! Files that came from somewhere else in the repository.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::thread;

use crate::HistoryError;
use crate::git::blobs;
use crate::git::log::{FORMAT, Log};
use crate::versions::files::{BlobRequest, Files};
use crate::walk::commit_time::CommitTime;
use crate::walk::result::{Commit, Edge, Side, WalkRequest, WalkResult};
use crate::walk::route;

/// From here on, a file that went and one that came are the same; git's own rule.
pub(crate) const ALIKE: f64 = 0.5;
/// More files than this from one folder are asked for together.
const MANY: usize = 1;

/// A file that came from somewhere else.
#[derive(Debug, Clone)]
pub(crate) struct Rename {
    /// The commit that brought it.
    pub(crate) id: String,
    /// The commit before that.
    pub(crate) parent: String,
    /// Where on the way it was met.
    pub(crate) time: CommitTime,
    /// What it is called since.
    pub(crate) new: Side,
    /// What it was before.
    pub(crate) old: Side,
}

impl Rename {
    /// Whether the two are alike enough to be the same file.
    pub(crate) fn is_alike(&self, files: &Files) -> bool {
        let version = |side: &Side| side.blob.as_ref().and_then(|blob| files.version(blob));
        let both = version(&self.old).zip(version(&self.new));
        self.old.blob == self.new.blob || both.is_some_and(|(old, new)| old.likeness(&new) >= ALIKE)
    }
}

/// New files, by the commits that brought them.
pub(crate) type AddedFiles = BTreeMap<String, Vec<AddedFile>>;

/// A new file, and where on the way its commit was met.
pub(crate) struct AddedFile {
    pub(crate) time: CommitTime,
    pub(crate) side: Side,
}

/// The new files that were taken in after so many edges and not looked for yet; they will be. Where a commit also took files away, those
/// that came may be the same; that is found out when all are read.
pub(crate) fn added_since(result: &mut WalkResult, after: usize) -> AddedFiles {
    let edges = result.edges.get(after..).unwrap_or_default();
    let gone = edges.iter().filter(|edge| edge.new.blob.is_none()).map(|edge| edge.commit);
    let gone = gone.collect::<BTreeSet<_>>();
    let new = edges.iter().filter(|edge| edge.is_new() && !gone.contains(&edge.commit));
    unsearched(new, &result.commits, &mut result.searched)
}

/// All new files that were not looked for yet; they will be.
pub(crate) fn not_searched(result: &mut WalkResult) -> AddedFiles {
    let new = result.edges.iter().filter(|edge| edge.is_new());
    unsearched(new, &result.commits, &mut result.searched)
}

fn unsearched<'a>(
    edges: impl Iterator<Item = &'a Edge>,
    commits: &[Commit],
    searched: &mut BTreeSet<(String, PathBuf)>,
) -> AddedFiles {
    let mut new = AddedFiles::new();
    for edge in edges {
        let Commit { id, time, .. } = &commits[edge.commit];
        if searched.insert((id.clone(), edge.new.path.clone())) {
            let file = AddedFile { time: *time, side: edge.new.clone() };
            new.entry(id.clone()).or_default().push(file);
        }
    }
    new
}

/// Looks for where new files came from.
pub(crate) fn find_renames(new: &AddedFiles, request: &WalkRequest<'_>) -> Result<Vec<Rename>, HistoryError> {
    let mut found = Vec::new();
    deleted_files(request, new.keys(), |id, parent, gone| {
        for AddedFile { time, side } in new.get(id).into_iter().flatten() {
            let (id, parent, new) = (id.to_owned(), parent.to_owned(), side.clone());
            let old = source(gone, side);
            found.extend(old.map(|old| Rename { id, parent, time: *time, new, old }));
        }
    })?;
    Ok(found)
}

/// Looks at commits, and hands over the one before each and what it took away, wherever that was.
fn deleted_files<'a>(
    request: &WalkRequest<'_>,
    commits: impl Iterator<Item = &'a String>,
    mut found: impl FnMut(&str, &str, &[Side]),
) -> Result<(), HistoryError> {
    let commits = commits.flat_map(|commit| [commit.as_str(), "\n"]).collect::<String>();
    if commits.is_empty() {
        return Ok(());
    }
    let options = ["--stdin", "-r", "--raw", "--no-abbrev", "-z", "--no-renames", "--no-relative"];
    let options = options.into_iter().chain(["--no-ext-diff", "--no-textconv", "--diff-filter=D", FORMAT]);
    let mut running = request.git.start("diff-tree", options.map(OsString::from), request.deadline)?;
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

/// Tells those that are the same file from the others, while the result is still being read.
pub(crate) fn verified(
    renames: Vec<Rename>,
    request: &WalkRequest<'_>,
) -> Result<(Vec<Rename>, Vec<Rename>), HistoryError> {
    let edited = renames.iter().filter(|rename| rename.old.blob != rename.new.blob);
    let asked = edited.flat_map(|rename| [&rename.old, &rename.new]).filter_map(Side::asked);
    let asked = asked.collect::<Vec<BlobRequest>>();
    let mut files = Files::default();
    blobs::read(request.git, asked.into_iter(), request.deadline, |asked, blob| {
        files.take_in(asked, blob, |_| false);
    })?;
    Ok(renames.into_iter().partition(|rename| rename.is_alike(&files)))
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
    chosen.map(route::specification).collect()
}
