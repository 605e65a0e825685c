//! The past of a single line.

use std::path::Path;

use imara_diff::{Algorithm, Diff, InternedInput};
use xxhash_rust::xxh3::xxh3_64;

use crate::Past;
use crate::past::{FilePast, FollowedLine, LineChange};
use crate::similarity::{ALIKE, similarity, words};

/// What a line said once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineVersion {
    /// The commit that replaced it.
    pub commit: String,
    /// When that was, in seconds since 1970.
    pub time: i64,
    /// The first line of that commit's message.
    pub subject: String,
    /// Where the line was, from 1.
    pub line: usize,
    /// What it said.
    pub text: String,
}

/// What a line said in the past, newest first. `line` counts from 1 in the file as of the commit looked from; in a file that was edited
/// since, [`line_versions_in`] finds it.
pub fn line_versions(past: &Past, path: &Path, line: usize) -> Vec<LineVersion> {
    let file = past.files.get(path);
    let followed = file.and_then(|file| file.lines.iter().find(|followed| followed.line == line));
    followed.map_or_else(Vec::new, |followed| followed_back(past, path, followed))
}

/// What a line said in the past, newest first. `text` is the file as it is now, `line` counts in it from 1.
///
/// A line that is not kept now, but was: it is known by what it says.
pub fn line_versions_in(past: &Past, path: &Path, text: &str, line: usize) -> Vec<LineVersion> {
    let lines = text.lines().map(str::trim).collect::<Vec<_>>();
    let Some(said) = line.checked_sub(1).and_then(|index| lines.get(index)) else { return Vec::new() };
    let file = past.files.get(path);
    match file.and_then(|file| followed(file, &lines, line - 1)) {
        Some(followed) => followed_back(past, path, followed),
        None => replaced_by(past, path, said, 0),
    }
}

/// Which kept line of the commit a line of today is, by its place from 0: one that says the same at the same place, else the most
/// alike of those between its neighbours that are nowhere to be found.
fn followed<'a>(file: &'a FilePast, lines: &[&str], line: usize) -> Option<&'a FollowedLine> {
    let hash = |text: &str| xxh3_64(text.trim().as_bytes());
    let mut input = InternedInput::default();
    input.update_before(file.lines.iter().map(|followed| hash(&followed.text)));
    input.update_after(lines.iter().map(|text| hash(text)));
    let diff = Diff::compute(Algorithm::Myers, &input);
    let (mut before, mut after) = (0, 0);
    for hunk in diff.hunks() {
        if line < hunk.after.start as usize {
            break;
        }
        if line < hunk.after.end as usize {
            let lost = &file.lines[hunk.before.start as usize..hunk.before.end as usize];
            return most_alike(lost, lines[line]);
        }
        (before, after) = (hunk.before.end as usize, hunk.after.end as usize);
    }
    file.lines.get(before + line - after)
}

fn most_alike<'a>(lines: &'a [FollowedLine], said: &str) -> Option<&'a FollowedLine> {
    let said = words(said);
    let rated = lines.iter().map(|line| (similarity(&words(&line.text), &said), line));
    let best = rated.filter(|(alike, _)| *alike >= ALIKE).max_by(|one, two| one.0.total_cmp(&two.0));
    best.map(|(_, line)| line)
}

fn followed_back(past: &Past, path: &Path, followed: &FollowedLine) -> Vec<LineVersion> {
    let changes = followed.changes.iter().filter_map(|&change| past.changes.get(change));
    let mut versions = changes.filter_map(version).collect::<Vec<_>>();
    // Before it was a line to keep it may have been one already: with a number, without, and with one again.
    if let Some(&last) = followed.changes.last()
        && let Some(said) = past.changes.get(last).and_then(|change| change.old.as_deref())
    {
        versions.extend(replaced_by(past, path, said.trim(), last + 1));
    }
    versions
}

/// What a line that is not kept replaced, and what that replaced; among the changes from `first` on, it is known by what it says.
fn replaced_by(past: &Past, path: &Path, said: &str, first: usize) -> Vec<LineVersion> {
    let mut said = said;
    let mut versions = Vec::new();
    for change in past.changes.get(first..).unwrap_or_default() {
        let new = change.new.as_deref().map(str::trim);
        if change.path == path
            && new == Some(said)
            && let Some(old) = &change.old
        {
            versions.extend(version(change));
            said = old.trim();
        }
    }
    versions
}

fn version(change: &LineChange) -> Option<LineVersion> {
    Some(LineVersion {
        commit: change.commit.clone(),
        time: change.time,
        subject: change.subject.clone(),
        line: change.old_line?,
        text: change.old.clone()?,
    })
}
