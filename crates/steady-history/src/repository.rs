//! A repository at one of its commits.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::Xxh3;

use crate::git::blobs::{self, Blob};
use crate::git::{Finished, Git};
use crate::{HistoryError, paths};

/// The time limit for questions that git answers at once.
const PATIENCE: Duration = Duration::from_secs(30);

/// A repository at one of its commits: the one checked out, or any other.
#[derive(Debug, Clone)]
pub struct Repository {
    pub(crate) git: Git,
    root: PathBuf,
    common: PathBuf,
    head: String,
    has_work_tree: bool,
    /// The commits at the boundary of a shallow clone.
    pub(crate) cut: Vec<String>,
}

impl Repository {
    /// The repository whose work tree holds a folder, if there is one.
    pub fn find(folder: &Path) -> Result<Option<Self>, HistoryError> {
        let git = Git::in_folder(folder);
        let asked = ["--path-format=absolute", "--show-toplevel", "--git-common-dir"];
        let Finished { output, ended } = git.run("rev-parse", asked, soon())?;
        if !ended.status.success() {
            let outside = ["not a git repository", "must be run in a work tree", "cannot change to"];
            if outside.iter().any(|reason| ended.complaint.contains(reason)) {
                return Ok(None);
            }
            return Err(HistoryError::Refused { folder: folder.to_owned(), detail: ended.complaint });
        }
        let mut lines = output.split(|&byte| byte == b'\n').map(|line| paths::from_bytes(line.to_vec()));
        let (Some(root), Some(common)) = (lines.next(), lines.next()) else { return Ok(None) };
        let git = Git::in_folder(&root);
        let head = commit(&git, "HEAD")?.unwrap_or_default();
        let cut = cut(&common);
        Ok(Some(Self { git, root, common, head, has_work_tree: true, cut }))
    }

    /// A repository by its git directory, at a commit. Without a work tree, paths are relative and files are blobs.
    pub fn open_bare(git_dir: &Path, at: &str) -> Result<Self, HistoryError> {
        let git = Git::of(git_dir);
        let unknown =
            || HistoryError::UnknownCommit { commit: at.to_owned(), repository: git_dir.to_owned() };
        let head = commit(&git, at)?.ok_or_else(unknown)?;
        let common = fs::canonicalize(git_dir).unwrap_or_else(|_| git_dir.to_owned());
        let cut = cut(&common);
        Ok(Self { git, root: PathBuf::new(), common, head, has_work_tree: false, cut })
    }

    /// The commit it is viewed at; empty in a repository without commits.
    pub fn head(&self) -> &str {
        &self.head
    }

    /// The top of the work tree; empty without one.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether the clone was made without the older commits.
    pub fn is_shallow(&self) -> bool {
        !self.cut.is_empty()
    }

    /// A path relative to the root, as git names it. A relative path is taken as relative to the root.
    pub fn relative(&self, path: &Path) -> Result<PathBuf, HistoryError> {
        if path.is_relative() {
            return Ok(path.components().filter(|part| *part != std::path::Component::CurDir).collect());
        }
        let inside = |path: &Path| path.strip_prefix(&self.root).map(Path::to_owned).ok();
        let real = || fs::canonicalize(path).ok().and_then(|path| inside(&path));
        let outside = || HistoryError::Outside { path: path.to_owned(), root: self.root.clone() };
        if !self.has_work_tree {
            return Err(outside());
        }
        inside(path).or_else(real).ok_or_else(outside)
    }

    /// Whether a file of the work tree, absolute or relative to the root, differs from the commit checked out in more than line
    /// ends. git's own answer would run the filters that the repository's configuration names.
    pub fn is_dirty(&self, path: &Path) -> Result<bool, HistoryError> {
        let relative = self.relative(path)?;
        let full = self.root.join(&relative);
        let now = fs::read(&full).map_err(|source| HistoryError::Unreadable { path: full, source })?;
        let known = self.list(&self.head, &relative, false)?;
        let Some((_, id)) = known.into_iter().find(|(path, _)| *path == relative) else { return Ok(true) };
        let committed = self.read_blobs(&[id])?.pop().flatten();
        Ok(committed.is_none_or(|committed| !lines(&committed).eq(lines(&now))))
    }

    /// The files in a folder at a commit, with their blobs; without subfolders.
    pub fn files_at(&self, commit: &str, folder: &Path) -> Result<Vec<(PathBuf, String)>, HistoryError> {
        self.files(commit, folder, false)
    }

    pub(crate) fn files(
        &self,
        commit: &str,
        folder: &Path,
        recursive: bool,
    ) -> Result<Vec<(PathBuf, String)>, HistoryError> {
        // With a trailing separator, the name means the folder's content.
        let mut folder = self.relative(folder)?;
        if folder != Path::new("") {
            folder.push("");
        }
        self.list(commit, &folder, recursive)
    }

    fn list(
        &self,
        commit: &str,
        path: &Path,
        recursive: bool,
    ) -> Result<Vec<(PathBuf, String)>, HistoryError> {
        if commit.is_empty() {
            return Ok(Vec::new());
        }
        let mut arguments = vec!["--full-tree", "-z"];
        arguments.extend(recursive.then_some("-r"));
        arguments.extend(["--end-of-options", commit, "--"]);
        let mut arguments = arguments.into_iter().map(OsStr::new).collect::<Vec<_>>();
        if path != Path::new("") {
            arguments.push(path.as_os_str());
        }
        let Finished { output, ended } = self.git.run("ls-tree", arguments, soon())?;
        match ended.status.success() {
            true => Ok(output.split(|&byte| byte == 0).filter_map(listed).collect()),
            false => Err(ended.error("ls-tree")),
        }
    }

    /// The contents of blobs, in order; `None` for one that is missing or larger than two megabytes.
    pub fn read_blobs(&self, ids: &[String]) -> Result<Vec<Option<Vec<u8>>>, HistoryError> {
        let mut contents = BTreeMap::new();
        blobs::read(&self.git, ids.iter().cloned(), soon(), |id, blob| {
            if let Blob::Content(content) = blob {
                contents.insert(id, content);
            }
        })?;
        Ok(ids.iter().map(|id| contents.get(id).cloned()).collect())
    }

    /// Whether one commit is an ancestor of another.
    pub(crate) fn is_ancestor(&self, older: &str, newer: &str) -> bool {
        // `merge-base` visits both histories completely, which can take longer than everything else.
        let without = format!("^{newer}");
        let asked = self.git.run("rev-list", ["--max-count=1", older, &without, "--"], soon());
        asked.is_ok_and(|finished| finished.ended.status.success() && finished.output.is_empty())
    }

    /// A hash that identifies this clone and its depth.
    pub(crate) fn identity(&self) -> u64 {
        let mut hash = Xxh3::new();
        hash.update(self.common.as_os_str().as_encoded_bytes());
        for commit in &self.cut {
            hash.update(b"\0");
            hash.update(commit.as_bytes());
        }
        hash.digest()
    }
}

fn soon() -> Instant {
    Instant::now() + PATIENCE
}

/// The full id of a commit.
fn commit(git: &Git, name: &str) -> Result<Option<String>, HistoryError> {
    let asked = format!("{name}^{{commit}}");
    let Finished { output, ended } =
        git.run("rev-parse", ["--verify", "--quiet", "--end-of-options", &asked], soon())?;
    let output = String::from_utf8_lossy(&output);
    // git of 2021 and before echoes `--end-of-options`.
    let id = output.lines().rfind(|line| !line.is_empty() && !line.starts_with('-'));
    match (ended.status.success(), id) {
        (true, Some(id)) => Ok(Some(id.to_owned())),
        _ if ended.complaint.contains("not a git repository") => Err(ended.error("rev-parse")),
        _ => Ok(None),
    }
}

/// The commits at which a shallow clone ends.
fn cut(common: &Path) -> Vec<String> {
    let list = fs::read_to_string(common.join("shallow")).unwrap_or_default();
    list.lines().map(str::to_owned).collect()
}

/// A file in `mode type id TAB path`.
fn listed(entry: &[u8]) -> Option<(PathBuf, String)> {
    let tab = entry.iter().position(|&byte| byte == b'\t')?;
    let mut words = str::from_utf8(&entry[..tab]).ok()?.split(' ');
    let (mode, _, id) = (words.next()?, words.next()?, words.next()?);
    mode.starts_with("100").then(|| (paths::from_bytes(entry[tab + 1..].to_vec()), id.to_owned()))
}

fn lines(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    content.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}
