//! Caches the past of a folder. A later call walks only the commits that are newer.

use std::error::Error;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use crate::past::{FilePast, LineChange, past_since};
use crate::paths::KeptPath;
use crate::{HistoryError, Past, Query, Repository};

/// Increased when the meaning of the cached data changes.
const FORMAT: u32 = 1;
/// Larger results are not cached, in bytes.
const LARGEST: usize = 32 << 20;

/// A cache of bytes by key; it may drop any entry at any time.
pub trait HistoryCache {
    /// The cached bytes, if the entry still exists.
    fn get(&mut self, key: &str) -> Result<Option<Vec<u8>>, Box<dyn Error + Send + Sync>>;
    /// Stores an entry; replaces an earlier one.
    fn put(&mut self, key: &str, content: &[u8]) -> Result<(), Box<dyn Error + Send + Sync>>;
}

/// [`past`](crate::past()) with a cache. A commit that was asked for before is answered from the cache; for a later commit only the commits in
/// between are walked. A cache that fails or holds unreadable data is ignored, and a note says so.
pub fn past_cached(
    repository: &Repository,
    query: &Query<'_>,
    cache: &mut dyn HistoryCache,
) -> Result<Past, HistoryError> {
    let mut notes = Vec::new();
    let mut get = |key: &str| {
        let found = cache.get(key);
        found.unwrap_or_else(|error| {
            notes.push(format!("the history cache could not be read: {error}"));
            None
        })
    };
    let key = key(repository, query)?;
    let at = |commit: &str| format!("{key} {commit}");
    let newest = format!("{key} newest");
    let mut recall = |commit: &str| get(&at(commit)).and_then(|content| decode(&content));
    if let Some(past) = recall(repository.head()) {
        return Ok(past);
    }
    let earlier = get(&newest).and_then(|commit| String::from_utf8(commit).ok());
    let earlier = earlier.filter(|commit| {
        commit.bytes().all(|byte| byte.is_ascii_hexdigit())
            && repository.is_ancestor(commit, repository.head())
    });
    let known = earlier.as_ref().and_then(|commit| get(&at(commit)).and_then(|content| decode(&content)));
    let (mut past, is_final) = past_since(repository, query, earlier.as_deref().zip(known))?;
    let content = if is_final { encode(&past) } else { Vec::new() };
    if (1..=LARGEST).contains(&content.len()) {
        let put = cache.put(&at(repository.head()), &content);
        if let Err(error) = put.and_then(|()| cache.put(&newest, repository.head().as_bytes())) {
            notes.push(format!("the history cache could not be written: {error}"));
        }
    }
    past.notes.extend(notes);
    Ok(past)
}

/// The cache key of a query, without the commit.
fn key(repository: &Repository, query: &Query<'_>) -> Result<String, HistoryError> {
    let folder = repository.relative(query.folder)?;
    let mut hash = Xxh3::new();
    let numbers = [repository.identity(), query.limits.depth as u64, u64::from(query.recursive)];
    numbers.iter().for_each(|number| hash.update(&number.to_le_bytes()));
    hash.update(query.rules.as_bytes());
    hash.update(b"\0");
    hash.update(folder.as_os_str().as_encoded_bytes());
    Ok(format!("past {FORMAT} {:032x}", hash.digest128()))
}

/// A [`Past`] as it is cached: data that many changes share is stored once.
#[derive(Serialize, Deserialize)]
struct Kept {
    format: u32,
    commits_seen: usize,
    complete: bool,
    notes: Vec<String>,
    missing: usize,
    commits: Vec<(String, i64, String)>,
    paths: Vec<KeptPath>,
    changes: Vec<KeptChange>,
    files: Vec<(KeptPath, FilePast)>,
}

#[derive(Serialize, Deserialize)]
struct KeptChange {
    commit: usize,
    path: usize,
    old: Option<(usize, String)>,
    new: Option<(usize, String)>,
    before: [Option<String>; 2],
}

fn encode(past: &Past) -> Vec<u8> {
    let (mut commits, mut paths) = (Vec::<(String, i64, String)>::new(), Vec::<PathBuf>::new());
    let mut changes = Vec::with_capacity(past.changes.len());
    for change in &past.changes {
        // Changes of one commit are adjacent, and within a commit those of one file.
        if commits.last().is_none_or(|(commit, ..)| *commit != change.commit) {
            commits.push((change.commit.clone(), change.time, change.subject.clone()));
        }
        if paths.last() != Some(&change.path) {
            paths.push(change.path.clone());
        }
        changes.push(KeptChange {
            commit: commits.len() - 1,
            path: paths.len() - 1,
            old: change.old_line.zip(change.old.clone()),
            new: change.new_line.zip(change.new.clone()),
            before: change.hunk_before.clone(),
        });
    }
    let files = past.files.iter().map(|(path, file)| (path.as_path().into(), file.clone()));
    let kept = Kept {
        format: FORMAT,
        commits_seen: past.commits_seen,
        complete: past.complete,
        notes: past.notes.clone(),
        missing: past.missing,
        commits,
        paths: paths.iter().map(|path| path.as_path().into()).collect(),
        changes,
        files: files.collect(),
    };
    serde_json::to_vec(&kept).unwrap_or_default()
}

/// `None` for data of another format.
fn decode(content: &[u8]) -> Option<Past> {
    let kept: Kept = serde_json::from_slice(content).ok().filter(|kept: &Kept| kept.format == FORMAT)?;
    let paths = kept.paths.into_iter().map(PathBuf::from).collect::<Vec<_>>();
    let change = |change: KeptChange| {
        let (commit, time, subject) = kept.commits.get(change.commit)?.clone();
        let path = paths.get(change.path)?.clone();
        let (old_line, old) = change.old.unzip();
        let (new_line, new) = change.new.unzip();
        let hunk_before = change.before;
        Some(LineChange { commit, time, subject, path, old_line, old, new_line, new, hunk_before })
    };
    let files = kept.files.into_iter().map(|(path, file)| (path.into(), file));
    Some(Past {
        commits_seen: kept.commits_seen,
        complete: kept.complete,
        notes: kept.notes,
        missing: kept.missing,
        changes: kept.changes.into_iter().map(change).collect::<Option<_>>()?,
        files: files.collect(),
    })
}
