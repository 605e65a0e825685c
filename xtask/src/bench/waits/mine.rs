//! Finds further fixes in the past of repositories: commits that mention flaky tests or longer waits, and raise or add a wait.
//!
//! They were not reviewed one by one. They are for fitting, and those of repositories that are not among the given cases are for
//! judging: nothing was chosen by them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use regex::Regex;
use steady_history::Repository;
use steady_js::{Kind, Script, Wait};
use steady_waits::files::{EXTENSIONS, is_entered, is_test_file};

use super::case::Case;
use super::diff::{self, Commit, FileDiff, Hunk};

/// What a message says that is about a test that fails now and then, or about waiting longer. Git and we both understand it.
const WORDS: &str = "flak(e|y|ing|iness)|race condition|intermittent|timing|unstable|stabili[sz]e|random(ly)? fail|slow tests?\
    |wait(ing)? (slightly |a bit |a little )?(longer|more)|longer (wait|timeout|delay|sleep)\
    |(increas|bump|rais|extend|larger|bigger|more|adjust|up|add)[a-z]* ([a-z0-9'_-]+ ){0,4}(timeouts?|waits?|delays?|sleeps?|time)";
/// Of a longer message, only the first line counts.
const LONGEST_MESSAGE: usize = 1_500;
/// A hunk with more lines than this is a new test and no fix.
const MOST_LINES: usize = 14;
/// A commit with more waits than this is not a fix.
const MOST_WAITS: usize = 30;
/// Fixes of one commit are much alike.
const PER_COMMIT: usize = 3;
/// Times that are waited.
const TIMES: std::ops::RangeInclusive<u64> = 5..=600_000;

/// All fixes that are found in the repositories of a folder, in order.
pub fn mine(mirrors: &Path) -> Result<Vec<Case>> {
    let entries = fs::read_dir(mirrors).with_context(|| format!("could not read {}", mirrors.display()))?;
    let mut names: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| name.contains('+') && mirrors.join(name).join("repo/objects").is_dir());
    names.sort();
    let mut cases = Vec::new();
    for name in names {
        let found = mine_one(&mirrors.join(&name).join("repo"), &name.replacen('+', "/", 1))
            .with_context(|| format!("could not look through {name}"))?;
        println!("{name}: {} fixes", found.len());
        cases.extend(found);
    }
    for (index, case) in cases.iter_mut().enumerate() {
        case.id = format!("M{index:04}");
    }
    Ok(cases)
}

fn mine_one(git_dir: &Path, repo: &str) -> Result<Vec<Case>> {
    let words = Regex::new(&format!("(?i){WORDS}"))?;
    let repository = Repository::open_bare(git_dir, "HEAD")?;
    let mut cases = Vec::new();
    for commit in diff::commits(&log(git_dir)?) {
        let spoken = match commit.message.len() {
            ..LONGEST_MESSAGE => commit.message,
            _ => commit.message.lines().next().unwrap_or_default(),
        };
        if words.is_match(spoken) {
            cases.extend(fixes(&repository, repo, &commit)?);
        }
    }
    Ok(cases)
}

fn log(git_dir: &Path) -> Result<String> {
    let endings = EXTENSIONS.iter().map(|ending| format!("*.{ending}"));
    let logged = Command::new("git")
        .arg("--git-dir")
        .arg(git_dir)
        .args(["log", "HEAD", "--no-merges", "--no-renames", "--extended-regexp", "--regexp-ignore-case"])
        .arg(format!("--grep={WORDS}"))
        .args(["-G", "imeout|[Ww]ait|[Ss]leep|[Dd]elay|[Pp]ause|[})] *, *[0-9]"])
        .args(["--patch", "--unified=0", "--full-index", "--no-color", "--no-ext-diff", diff::FORMAT, "--"])
        .args(endings)
        .output()
        .context("could not run git")?;
    // A version that is not here ends the walk: what came before it counts.
    ensure!(!logged.stdout.is_empty() || logged.status.success(), "git log failed");
    Ok(String::from_utf8_lossy(&logged.stdout).into_owned())
}

/// The waits that a commit raised or added in tests.
fn fixes(repository: &Repository, repo: &str, commit: &Commit<'_>) -> Result<Vec<Case>> {
    let files: Vec<&FileDiff<'_>> =
        commit.files.iter().filter(|file| file.has_times && is_own_test(Path::new(file.path))).collect();
    if files.is_empty() || files.len() > MOST_WAITS {
        return Ok(Vec::new());
    }
    let blobs: Vec<String> =
        files.iter().flat_map(|file| [file.old.to_owned(), file.new.to_owned()]).collect();
    let texts = repository.read_blobs(&blobs)?;
    let mut found = Vec::new();
    for (file, texts) in files.iter().zip(texts.chunks_exact(2)) {
        let [Some(old), Some(new)] = texts else { continue };
        let path = PathBuf::from(file.path);
        let read = |text: &[u8]| Script::read(&path, &String::from_utf8_lossy(text)).ok();
        let (Some(old), Some(new)) = (read(old), read(new)) else { continue };
        for hunk in &file.hunks {
            found.extend(changed(old.waits(), new.waits(), hunk).into_iter().map(|fix| (path.clone(), fix)));
        }
    }
    if found.len() > MOST_WAITS {
        return Ok(Vec::new());
    }
    let mut kinds = BTreeSet::new();
    found.retain(|(_, fix)| kinds.insert((fix.from, fix.ms, fix.kind, fix.callee.clone())));
    let case = |(path, fix): (PathBuf, Fix)| Case {
        repo: repo.to_owned(),
        commit: commit.id.to_owned(),
        parent: commit.parent.to_owned(),
        path,
        old_line: fix.old_line,
        new_line: fix.line,
        ..Case::mined(fix.kind, fix.ms)
    };
    Ok(found.into_iter().take(PER_COMMIT).map(case).collect())
}

fn is_own_test(path: &Path) -> bool {
    is_test_file(path) && path.iter().all(|part| part.to_str().is_some_and(is_entered))
}

/// A wait that was raised or added.
struct Fix {
    kind: Kind,
    callee: String,
    ms: u64,
    line: usize,
    from: Option<u64>,
    old_line: Option<usize>,
}

/// The waits that a hunk raised or added.
fn changed(old: &[Wait], new: &[Wait], hunk: &Hunk) -> Vec<Fix> {
    let mut before: Vec<(&Wait, u64, usize)> =
        timed(old).filter(|(.., line)| hunk.old.contains(line)).collect();
    let mut fixes = Vec::new();
    for (wait, ms, line) in timed(new).filter(|(.., line)| hunk.new.contains(line)) {
        let is_same =
            |(other, ..): &(&Wait, u64, usize)| other.form == wait.form && other.callee == wait.callee;
        let was = before.iter().position(is_same).map(|index| before.remove(index));
        let is_fix = match was {
            Some((_, from, _)) => from < ms,
            // A time that was there before in other words was only moved.
            None => hunk.new.len() <= MOST_LINES && before.iter().all(|(_, other, _)| *other != ms),
        };
        if is_fix && TIMES.contains(&ms) {
            let (from, old_line) = (was.map(|(_, from, _)| from), was.map(|(.., line)| line));
            let (kind, callee) = (wait.kind, wait.callee.clone());
            fixes.push(Fix { kind, callee, ms, line, from, old_line });
        }
    }
    fixes
}

fn timed(waits: &[Wait]) -> impl Iterator<Item = (&Wait, u64, usize)> {
    waits.iter().filter_map(|wait| wait.value.as_ref().map(|value| (wait, value.ms, value.line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(old: &str, new: &str) -> Vec<(Option<u64>, u64, usize)> {
        let script = |text: &str| Script::read(Path::new("a.spec.ts"), text).expect("it parses");
        let (old, new) = (script(old), script(new));
        let hunk = Hunk { old: 1..100, new: 1..14 };
        changed(old.waits(), new.waits(), &hunk).iter().map(|fix| (fix.from, fix.ms, fix.line)).collect()
    }

    #[test]
    fn raised_and_added_waits_are_fixes_and_others_are_none() {
        let pause = |ms: u64| format!("await page.waitForTimeout({ms});\n");
        assert_eq!(found(&pause(100), &pause(500)), [(Some(100), 500, 1)]);
        assert_eq!(found("", &pause(500)), [(None, 500, 1)]);
        assert_eq!(found(&pause(500), &pause(100)), []);
        assert_eq!(found(&pause(500), &pause(500)), []);
        assert_eq!(found("cy.wait(500);\n", &pause(500)), []);
    }
}
