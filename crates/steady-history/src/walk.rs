//! Walks the commits that touched some paths, newest first.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

use crate::HistoryError;
use crate::git::Git;
use crate::log::{FORMAT, Log, Logged};

/// Where a walk begins and ends, and what it looks at.
#[derive(Debug, Clone)]
pub(crate) struct Route {
    /// The commits to begin with.
    pub(crate) from: Vec<String>,
    /// Known already, with all before it.
    pub(crate) until: Option<String>,
    /// The paths to look at, as git's path specifications.
    pub(crate) paths: Vec<OsString>,
}

/// How a walk ended.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    pub(crate) in_time: bool,
    /// Why git stopped early, in its own words.
    pub(crate) problem: Option<String>,
}

/// The path specification of the files in a folder.
pub(crate) fn folder(folder: &Path, recursive: bool) -> OsString {
    if recursive {
        return file(folder);
    }
    let mut spec = b":(top,glob)".to_vec();
    for &byte in folder.as_os_str().as_encoded_bytes() {
        if b"*?[\\".contains(&byte) {
            spec.push(b'\\');
        }
        spec.push(byte);
    }
    if folder != Path::new("") {
        spec.push(b'/');
    }
    spec.push(b'*');
    crate::paths::from_bytes(spec).into_os_string()
}

/// The path specification of one file, or of a folder with everything below.
pub(crate) fn file(path: &Path) -> OsString {
    let mut spec = OsString::from(":(top,literal)");
    spec.push(path);
    spec
}

/// Goes along a route and hands over every commit, until the first that is beyond `reach`.
///
/// Git leaves out side branches that changed nothing in the end, and of merges tells only what no parent has.
pub(crate) fn walk(
    git: &Git,
    route: &Route,
    reach: &Reach,
    deadline: Instant,
    mut found: impl FnMut(Logged),
) -> Result<Walked, HistoryError> {
    let options = ["-c", "--raw", "--no-abbrev", "-z", "--no-renames", "--no-relative", "--no-ext-diff"];
    let mut arguments = options.map(OsString::from).to_vec();
    arguments.extend(["--no-textconv", "--no-color", "--encoding=UTF-8", FORMAT].map(OsString::from));
    arguments.extend(ends(route));
    arguments.push("--".into());
    arguments.extend(route.paths.iter().cloned());
    let mut running = git.start("log", arguments, deadline)?;
    drop(running.stdin());
    let mut cut_off = false;
    if let Some(stdout) = running.stdout() {
        for commit in Log::new(BufReader::with_capacity(1 << 16, stdout)) {
            cut_off = reach.is_beyond(&commit.id);
            if cut_off {
                running.stop();
                break;
            }
            found(commit);
        }
    }
    let ended = running.finish()?;
    let problem = !(cut_off || ended.status.success() || !ended.in_time);
    Ok(Walked { in_time: ended.in_time, problem: problem.then_some(ended.complaint) })
}

fn ends(route: &Route) -> impl Iterator<Item = OsString> {
    let until = route.until.iter().map(|commit| format!("^{commit}").into());
    route.from.iter().map(OsString::from).chain(until)
}

/// How far back a walk may go. Git cannot limit the commits it looks at, only those it shows; so the others are counted
/// beside the walk, and the walk stops when it gets to one that was not counted.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    counted: OnceLock<Counted>,
}

/// The commits within reach.
#[derive(Debug)]
pub(crate) struct Counted {
    pub(crate) commits: usize,
    /// Which they are, when there are more.
    pub(crate) within: Option<BTreeSet<String>>,
    pub(crate) in_time: bool,
}

impl Reach {
    /// Counts the commits of a route, at most `depth`.
    pub(crate) fn count(
        &self,
        git: &Git,
        route: &Route,
        depth: usize,
        deadline: Instant,
    ) -> Result<(), HistoryError> {
        let limit = format!("--max-count={}", depth.saturating_add(1));
        let arguments = [OsString::from(limit)].into_iter().chain(ends(route)).chain(["--".into()]);
        let mut running = git.start("rev-list", arguments, deadline)?;
        drop(running.stdin());
        let stdout = running.stdout().into_iter().map(BufReader::new);
        let mut ids = stdout.flat_map(BufRead::lines).map_while(Result::ok).collect::<Vec<_>>();
        let in_time = running.finish()?.in_time;
        let more = ids.len() > depth;
        ids.truncate(depth);
        let commits = ids.len();
        let within = more.then(|| ids.into_iter().collect());
        // Counted once; a second count would find the same.
        let _ = self.counted.set(Counted { commits, within, in_time });
        Ok(())
    }

    /// The result, once it is there.
    pub(crate) fn counted(&self) -> Option<&Counted> {
        self.counted.get()
    }

    /// Whether a commit is known to be further back.
    pub(crate) fn is_beyond(&self, commit: &str) -> bool {
        let within = self.counted.get().and_then(|counted| counted.within.as_ref());
        within.is_some_and(|within| !within.contains(commit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_may_be_named_like_a_pattern() {
        assert_eq!(folder(Path::new("a[1]/*"), false), r":(top,glob)a\[1]/\*/*");
        assert_eq!(folder(Path::new("a[1]/*"), true), ":(top,literal)a[1]/*");
        assert_eq!(folder(Path::new(""), false), ":(top,glob)*");
    }
}
