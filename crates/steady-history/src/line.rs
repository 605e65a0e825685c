//! The past of a single line.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use imara_diff::{Algorithm, Diff, InternedInput};
use xxhash_rust::xxh3::xxh3_64;

use crate::Past;
use crate::past::{FilePast, FollowedLine, LineChange};
use crate::versions::similarity::{ALIKE, similarity, words};

/// An earlier text of a line.
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
    /// Its text.
    pub text: String,
}

/// The earlier texts of a line, newest first. `line` counts from 1 in the file as of the head commit; in a file that was edited
/// since, [`versions_in`] finds it.
pub fn line_versions(past: &Past, path: &Path, line: usize) -> Vec<LineVersion> {
    let file = past.files.get(path);
    let followed = file.and_then(|file| file.lines.iter().find(|followed| followed.line == line));
    followed.map_or_else(Vec::new, |followed| followed_back(past, path, followed))
}

/// The earlier texts of a file's lines, by line number from 1; lines that never changed are left out. `text` is the
/// file as it is now, edited or not.
///
/// Lines that are not kept now but once were (an option was removed again) are matched by their text.
pub fn versions_in(past: &Past, path: &Path, text: &str) -> BTreeMap<usize, Vec<LineVersion>> {
    let lines = text.lines().map(str::trim).collect::<Vec<_>>();
    let file = past.files.get(path);
    let followed = file.map_or_else(|| vec![None; lines.len()], |file| followed(file, &lines));
    let here = past.changes.iter().filter(|change| change.path == path && change.old.is_some());
    let replacements =
        here.filter_map(|change| change.new.as_deref()).map(str::trim).collect::<BTreeSet<_>>();
    let versions = lines.iter().zip(followed).map(|(said, followed)| match followed {
        Some(followed) => followed_back(past, path, followed),
        None if replacements.contains(said) => replaced_by(past, path, said, 0),
        None => Vec::new(),
    });
    (1..).zip(versions).filter(|(_, versions)| !versions.is_empty()).collect()
}

/// Which kept line of the commit each line of today is: one with the same text in the same order, else the most similar of the unmatched lines
/// between its neighbours.
fn followed<'a>(file: &'a FilePast, lines: &[&str]) -> Vec<Option<&'a FollowedLine>> {
    let hash = |text: &str| xxh3_64(text.trim().as_bytes());
    let mut input = InternedInput::default();
    input.update_before(file.lines.iter().map(|followed| hash(&followed.text)));
    input.update_after(lines.iter().map(|text| hash(text)));
    let diff = Diff::compute(Algorithm::Myers, &input);
    let mut followed = Vec::with_capacity(lines.len());
    let mut next = 0;
    for hunk in diff.hunks() {
        let (before, after) = (hunk.before.start as usize..hunk.before.end as usize, hunk.after);
        let unchanged = file.lines.get(next..before.start).unwrap_or_default();
        followed.extend(unchanged.iter().map(Some));
        let lost = &file.lines[before.clone()];
        followed.extend(after.map(|line| most_alike(lost, lines[line as usize])));
        next = before.end;
    }
    followed.extend(file.lines.get(next..).unwrap_or_default().iter().map(Some));
    followed
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
    // An earlier version may have been a kept line too: with a number, without one, and with one again.
    if let Some(&last) = followed.changes.last()
        && let Some(said) = past.changes.get(last).and_then(|change| change.old.as_deref())
    {
        versions.extend(replaced_by(past, path, said.trim(), last + 1));
    }
    versions
}

/// The lines that a line that is not kept replaced, and what those replaced; among the changes from `first` on, matched by text.
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
