//! Walks the commits that touched some paths, newest first.

use std::ffi::OsString;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use crate::HistoryError;
use crate::git::Git;
use crate::git::log::{FORMAT, Log, Logged};

/// The largest count that git accepts.
const MOST: usize = i32::MAX as usize;

/// Where a walk begins and ends, and which paths it visits.
#[derive(Debug, Clone)]
pub(crate) struct Route {
    /// The commits to begin with.
    pub(crate) from: Vec<String>,
    /// Excluded, with their ancestors.
    pub(crate) until: Vec<String>,
    /// The paths, as git's path specifications.
    pub(crate) paths: Vec<OsString>,
    /// How many commits to visit, those of `passed` included.
    pub(crate) depth: usize,
    /// How many commits were visited before.
    pub(crate) passed: usize,
    /// Commits before this time are not visited; in seconds since 1970.
    pub(crate) since: i64,
}

/// How a walk ended.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// The number of commits visited.
    pub(crate) commits: usize,
    /// The time of the oldest of them.
    pub(crate) oldest: i64,
    /// Whether older commits remain.
    pub(crate) more: bool,
    pub(crate) in_time: bool,
    /// The message of a git that stopped early.
    pub(crate) problem: Option<String>,
}

/// The path specification of a file, or of a folder with everything in it. Excluding subfolders would take a
/// pattern, and with a pattern git needs 1.5 times as long.
pub(crate) fn specification(path: &Path) -> OsString {
    let mut specification = OsString::from(":(top,literal)");
    specification.push(path);
    specification
}

/// Walks a route and hands over every commit, with the number visited so far, until the route ends or the callback breaks.
///
/// git omits side branches that changed nothing in the end, and of merges reports only what no parent has. With `--sparse` it
/// also names commits that touched nothing: that costs nothing, and the number of visited commits can be limited only that way.
pub(crate) fn walk(
    git: &Git,
    route: &Route,
    deadline: Instant,
    mut found: impl FnMut(Logged, usize) -> ControlFlow<()>,
) -> Result<Walked, HistoryError> {
    // Without a starting commit, git would start at the one checked out.
    if route.from.is_empty() {
        return Ok(Walked { commits: route.passed, oldest: i64::MAX, in_time: true, ..Walked::default() });
    }
    let limit = route.depth.saturating_sub(route.passed).saturating_add(1).min(MOST);
    let limit = format!("--max-count={limit}");
    let options = ["--sparse", "-c", "--raw", "--no-abbrev", "-z", "--no-renames", "--no-relative"];
    let further = ["--no-ext-diff", "--no-textconv", "--no-color", "--encoding=UTF-8", FORMAT, &limit];
    let until = route.until.iter().map(|commit| format!("^{commit}").into());
    let arguments = options.into_iter().chain(further).map(OsString::from);
    let arguments = arguments.chain(route.from.iter().map(OsString::from)).chain(until);
    let arguments = arguments.chain(["--".into()]).chain(route.paths.iter().cloned());
    let mut running = git.start("log", arguments, deadline)?;
    drop(running.stdin());
    let mut walked = Walked { commits: route.passed, oldest: i64::MAX, ..Walked::default() };
    let mut enough = false;
    for commit in
        running.stdout().into_iter().flat_map(|stdout| Log::new(BufReader::with_capacity(1 << 16, stdout)))
    {
        walked.more = walked.commits == route.depth || commit.time < route.since;
        if walked.more {
            running.stop();
            break;
        }
        walked.commits += 1;
        walked.oldest = walked.oldest.min(commit.time);
        enough = found(commit, walked.commits).is_break();
        if enough {
            running.stop();
            break;
        }
    }
    let ended = running.finish()?;
    walked.in_time = ended.in_time;
    let failed = ended.in_time && !walked.more && !enough && !ended.status.success();
    Ok(Walked { problem: failed.then_some(ended.complaint), ..walked })
}
