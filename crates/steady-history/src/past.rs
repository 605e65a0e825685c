//! The changes in a folder, and the history of each of its lines.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::rename::moves;
use crate::versions::step::steps;
use crate::versions::trace::Trace;
use crate::walk::result::{Side, WalkRequest, WalkResult};
use crate::walk::route::{self, Route, Walked};
use crate::{HistoryError, Repository};

/// Limits of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The number of commits, newest first.
    pub depth: usize,
    /// The time limit. What was found before it is returned.
    pub time: Duration,
}

impl Default for Limits {
    /// Ten thousand commits, ten seconds.
    fn default() -> Self {
        Self { depth: 10_000, time: Duration::from_secs(10) }
    }
}

/// Which folder and which lines to look at.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    /// The folder: absolute, or relative to the root of the repository.
    pub folder: &'a Path,
    /// Whether subfolders are included.
    pub recursive: bool,
    /// Whether a file is included, by its path relative to the root of the repository.
    pub is_test: &'a (dyn Fn(&Path) -> bool + Sync),
    /// Whether a line, given without its indentation, is followed. Other lines are not recorded.
    pub keep: &'a (dyn Fn(&str) -> bool + Sync),
    /// A name for the behaviour of `is_test` and `keep`: part of the cache key, so answers to different queries are not mixed up.
    pub rules: &'a str,
    /// Limits on commits and time.
    pub limits: Limits,
}

/// The changes in a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Past {
    /// The number of commits visited.
    pub commits_seen: usize,
    /// Whether these were all commits; if not, the notes say why.
    pub complete: bool,
    /// Limits of this answer that the reader should know.
    pub notes: Vec<String>,
    /// How many versions of files are not in this clone.
    pub missing: usize,
    /// The changes of lines that were kept before or after, newest first; deleted lines included.
    pub changes: Vec<LineChange>,
    /// The files as of the head commit.
    pub(crate) files: BTreeMap<PathBuf, FilePast>,
}

/// A line that a commit added, removed or replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineChange {
    /// The commit.
    pub commit: String,
    /// When it was committed, in seconds since 1970.
    pub time: i64,
    /// The first line of its message.
    pub subject: String,
    /// The file, named as that commit left it; relative to the root of the repository.
    pub path: PathBuf,
    /// The line number before, from 1; `None` for an added line.
    pub old_line: Option<usize>,
    /// The text before.
    pub old: Option<String>,
    /// The line number after the commit, from 1; `None` for a deleted line.
    pub new_line: Option<usize>,
    /// The text after.
    pub new: Option<String>,
    /// The two lines above it, the nearer first: as they were before, for a new line as they are after.
    pub hunk_before: [Option<String>; 2],
}

/// A file as of the head commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FilePast {
    pub(crate) blob: String,
    /// The kept lines, in order.
    pub(crate) lines: Vec<FollowedLine>,
}

/// A line, and the changes that led to its present text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FollowedLine {
    /// From 1.
    pub(crate) line: usize,
    pub(crate) text: String,
    /// Indices into [`Past::changes`], newest first.
    pub(crate) changes: Vec<usize>,
}

/// Everything that changed in the kept lines of a folder.
///
/// An incomplete answer (shallow clone, limit reached, missing files) is not an error; the notes describe it.
pub fn past(repository: &Repository, query: &Query<'_>) -> Result<Past, HistoryError> {
    past_since(repository, query, None).map(|(past, _)| past)
}

/// The past, given that of an older commit. Also returns whether a repetition would give the same: the time sufficed and nothing was missing.
pub(crate) fn past_since(
    repository: &Repository,
    query: &Query<'_>,
    earlier: Option<(&str, Past)>,
) -> Result<(Past, bool), HistoryError> {
    let now = Instant::now();
    let deadline = now.checked_add(query.limits.time).unwrap_or_else(|| now + Duration::from_secs(86_400));
    if repository.head().is_empty() {
        let notes = vec!["the repository has no commits yet".to_owned()];
        return Ok((Past { complete: true, notes, ..Past::default() }, true));
    }
    if query.limits.time.is_zero() {
        return Ok((Past { notes: vec![late(query)], ..Past::default() }, false));
    }
    let (until, earlier) =
        earlier.map_or((None, Past::default()), |(head, past)| (Some(head.to_owned()), past));
    let folder = repository.relative(query.folder)?;
    let files = repository.files(repository.head(), &folder, query.recursive)?;
    let files = files.into_iter().filter(|(path, _)| (query.is_test)(path)).collect::<Vec<_>>();
    let is_known = |path: &Path, blob: &str| earlier.files.get(path).is_some_and(|file| file.blob == blob);
    let unknown = files.iter().filter(|(path, blob)| !is_known(path, blob));

    let is_inside = |path: &Path| match query.recursive {
        true => path.starts_with(&folder),
        false => path.parent() == Some(&folder),
    };
    let request = WalkRequest {
        git: &repository.git,
        route: Route {
            from: vec![repository.head().to_owned()],
            until: until.into_iter().collect(),
            paths: vec![route::specification(&folder)],
            depth: query.limits.depth,
            passed: 0,
            since: i64::MIN,
        },
        wanted: &|path| is_inside(path) && (query.is_test)(path),
        files: unknown.map(|(path, blob)| Side { path: path.clone(), blob: Some(blob.clone()) }).collect(),
        cut: &repository.cut,
        deadline,
    };
    let mut result = WalkResult::default();
    let mut walked = result.gather(&request, query)?;
    if let Some(detail) = walked.problem.take_if(|_| walked.commits == 0) {
        return Err(HistoryError::Failed { action: "log", detail });
    }
    let since = if walked.more { walked.oldest } else { i64::MIN };
    moves::follow(&mut result, &request, query, since)?;
    walked.in_time &= Instant::now() < deadline;
    let is_final = walked.in_time && walked.problem.is_none() && result.files.missing == 0;
    Ok((assemble(repository, query, result, walked, &files, earlier), is_final))
}

fn assemble(
    repository: &Repository,
    query: &Query<'_>,
    mut result: WalkResult,
    walked: Walked,
    files: &[(PathBuf, String)],
    earlier: Past,
) -> Past {
    // The edges may come from several walks; a stable sort keeps git's order within each.
    let WalkResult { commits, edges, .. } = &mut result;
    edges.sort_by_key(|edge| std::cmp::Reverse(commits[edge.commit].time.seconds()));
    let mut trace = Trace::new();
    for (path, blob) in files {
        match (earlier.files.get(path).filter(|file| file.blob == *blob), result.files.version(blob)) {
            (Some(file), _) => trace.begin_again(path, file),
            (None, Some(version)) => trace.begin(path, blob, version),
            (None, None) => {}
        }
    }
    let mut changes = Vec::new();
    for (edge, step) in result.edges.iter().zip(steps(&result)) {
        trace.back(edge, step.as_ref(), changes.len());
        changes.extend(step.into_iter().flat_map(|step| step.changes));
    }
    trace.join(&earlier.files, changes.len());
    changes.extend(earlier.changes);
    let is_continued = earlier.commits_seen > 0;
    let more = walked.more || (is_continued && !earlier.complete);
    let mut past = Past {
        commits_seen: earlier.commits_seen + walked.commits,
        complete: walked.in_time && !more && !repository.is_shallow() && walked.problem.is_none(),
        notes: Vec::new(),
        missing: earlier.missing + result.files.missing,
        changes,
        files: trace.finish(files),
    };
    past.notes = notes(repository, query, &past, &result, &Walked { more, ..walked });
    past
}

fn notes(
    repository: &Repository,
    query: &Query<'_>,
    past: &Past,
    result: &WalkResult,
    walked: &Walked,
) -> Vec<String> {
    let (commits, missing) = (past.commits_seen, past.missing);
    let too_large = result.files.too_large;
    let shallow = repository.is_shallow();
    let notes = [
        (!walked.in_time).then(|| late(query)),
        shallow.then(|| {
            format!(
                "only {commits} commits are here (shallow clone); `git fetch --unshallow` fetches the rest"
            )
        }),
        (walked.more && !shallow).then(|| format!("only the newest {commits} commits were read")),
        (missing > 0)
            .then(|| format!("versions of files that are not in this clone were left out: {missing}")),
        (too_large > 0).then(|| format!("versions of files that are too large were left out: {too_large}")),
        walked.problem.as_ref().map(|problem| format!("git stopped early: {problem}")),
    ];
    notes.into_iter().flatten().collect()
}

fn late(query: &Query<'_>) -> String {
    format!(
        "the history is incomplete: {} ms were too short to read all of it",
        query.limits.time.as_millis()
    )
}
