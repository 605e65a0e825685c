//! Reads repositories as they were: the files around a case and the past of its folder, straight from git.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use steady_history::{Limits, Past, Repository};
use steady_js::repair::Target;
use steady_js::{Script, Wait};
use steady_waits::files::is_test_file;
use steady_waits::locate::{self, AROUND, Addition, Corpus, Evidence, Query, Source, evidence, read_past};

use super::case::{Case, Example};
use super::spot;

/// How much of the past is looked at.
const LIMITS: Limits = Limits { depth: 10_000, time: Duration::from_secs(20) };

/// Reads the cases of one repository; those of one commit and folder share what is read.
pub fn read(mirrors: &Path, cases: &[Case]) -> Result<Vec<Example>> {
    let mut examples = Vec::new();
    let mut last: Option<(String, PathBuf, Past, f64)> = None;
    for case in cases {
        let git_dir = mirrors.join(case.repo.replace('/', "+")).join("repo");
        let repository = Repository::open_bare(&git_dir, &case.parent)?;
        let folder = case.path.parent().unwrap_or(Path::new("")).to_owned();
        let known = last.take().filter(|(parent, path, ..)| *parent == case.parent && *path == folder);
        let (past, past_ms) = match known {
            Some((.., past, past_ms)) => (past, past_ms),
            None => {
                let started = Instant::now();
                (read_past(&repository, &folder, LIMITS)?, ms_since(started))
            }
        };
        let files = files_around(&git_dir, case)?;
        let blobs: Vec<String> = files.iter().map(|(_, blob)| blob.clone()).collect();
        let texts = repository.read_blobs(&blobs)?.into_iter().zip(files);
        let texts =
            texts.filter_map(|(text, (path, _))| Some((path, String::from_utf8_lossy(&text?).into_owned())));
        let texts: Vec<(PathBuf, String)> = texts.collect();
        let (files, started) = (texts.len(), Instant::now());
        let corpus = Corpus::of(&texts);
        let lines = corpus.file(&case.path).map_or(0, |file| file.text.lines().count());
        let line = spot::line(&git_dir, case)?.min(lines.max(1));
        let addition = corpus.file(&case.path).and_then(|file| addition(file, line, case));
        let query = Query { file: &case.path, line, past: Some(&past), addition };
        let evidence = evidence(&corpus, &query)?;
        let read_ms = ms_since(started);
        let written = match case.old_line {
            Some(_) => None,
            None => once_written(&git_dir, case, line, &texts, &past, &evidence)?,
        };
        examples.push(Example {
            case: case.clone(),
            evidence,
            written,
            read_ms,
            past_ms,
            files,
            commits: past.commits_seen,
        });
        last = Some((case.parent.clone(), folder, past, past_ms));
    }
    Ok(examples)
}

/// What the repair at a line would add; a pause where the developer wanted one, which is for a person to decide (`--pause`).
fn addition(file: &Source, line: usize, case: &Case) -> Option<Addition> {
    let script = Script::read(&file.path, &file.text).ok()?;
    let fix = Target::at(&script, line).ok()?;
    let fix = if case.is_pause() { fix.with_pause() } else { fix };
    Some(Addition { kind: fix.adds?, above: fix.ms.unwrap_or(0) })
}

/// What is known once the wait that the developer added stands in the old file, with 0 for its time: its whole statement where that is
/// new, else its kind and what it calls alone.
fn once_written(
    git_dir: &Path,
    case: &Case,
    line: usize,
    texts: &[(PathBuf, String)],
    past: &Past,
    known: &Evidence,
) -> Result<Option<Evidence>> {
    let Some(Written { mut wait, statement }) = Written::read(git_dir, case)? else { return Ok(None) };
    let inserted = statement.map(|(statement, below)| {
        let with = |(path, text): &(PathBuf, String)| match *path == case.path {
            true => (path.clone(), with_line(text, line, &statement)),
            false => (path.clone(), text.clone()),
        };
        (Corpus::of(&texts.iter().map(with).collect::<Vec<_>>()), line + below)
    });
    if let Some((corpus, line)) = inserted {
        let query = Query { file: &case.path, line, past: Some(past), addition: None };
        let found = evidence(&corpus, &query)?;
        if found.target.wait().is_some_and(|found| found.ms() == Some(0)) {
            return Ok(Some(found));
        }
    }
    if let Some(value) = &mut wait.value {
        value.ms = 0;
    }
    Ok(Some(Evidence { target: locate::Target::Wait(Box::new(wait)), addition: None, ..known.clone() }))
}

/// A wait that a developer added.
struct Written {
    wait: Wait,
    /// Its statement with 0 for its time, if all of it is new, and how far below its beginning the time stands.
    statement: Option<(String, usize)>,
}

impl Written {
    fn read(git_dir: &Path, case: &Case) -> Result<Option<Self>> {
        let name = format!("{}:{}", case.commit, case.path.display());
        let shown = Command::new("git").arg("--git-dir").arg(git_dir).args(["show", &name]).output();
        let shown = shown.context("could not run git")?;
        ensure!(shown.status.success(), "git show failed for {} of {}", name, case.repo);
        let text = String::from_utf8_lossy(&shown.stdout);
        let Ok(script) = Script::read(&case.path, &text) else { return Ok(None) };
        let is_it = |wait: &&Wait| {
            wait.value.as_ref().is_some_and(|value| value.line == case.new_line && value.ms == case.chosen())
        };
        let added = script.waits().iter().filter(is_it).min_by_key(|wait| wait.call.end - wait.call.start);
        let Some(wait) = added.cloned() else { return Ok(None) };
        let new = spot::new_lines(git_dir, case)?;
        let statement =
            script.statement_at(case.new_line).zip(wait.value.as_ref()).and_then(|(own, value)| {
                let is_new = (own.line..=own.last_line).all(|line| new.contains(&line));
                let before = text.get(own.span.start..value.span.start)?;
                let after = text.get(value.span.end..own.span.end)?;
                is_new.then(|| (format!("{}{before}0{after}", own.indentation), value.line - own.line))
            });
        Ok(Some(Self { wait, statement }))
    }
}

/// A text with something more before a line.
fn with_line(text: &str, line: usize, more: &str) -> String {
    let mut lines: Vec<&str> = text.split('\n').collect();
    lines.insert((line - 1).min(lines.len()), more);
    lines.join("\n")
}

fn ms_since(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1_000.0
}

/// The test files of the folder, and of the folders around while these are few, as of the commit before the fix.
fn files_around(git_dir: &Path, case: &Case) -> Result<Vec<(PathBuf, String)>> {
    let listed = Command::new("git")
        .arg("--git-dir")
        .arg(git_dir)
        .args(["ls-tree", "-r", "-z", "--full-tree", &case.parent])
        .output()
        .context("could not run git")?;
    ensure!(listed.status.success(), "git ls-tree failed for {} at {}", case.repo, case.parent);
    let listed = String::from_utf8_lossy(&listed.stdout);
    let files = listed.split('\0').filter_map(|entry| {
        let (about, path) = entry.split_once('\t')?;
        let path = PathBuf::from(path);
        let is_wanted = path == case.path || (is_test_file(&path) && !is_installed(&path));
        is_wanted.then(|| (path, about.rsplit(' ').next().unwrap_or_default().to_owned()))
    });
    let files: Vec<(PathBuf, String)> = files.collect();
    let mut taken = BTreeSet::new();
    for ancestor in case.path.ancestors().skip(1) {
        let is_folder = Some(ancestor) == case.path.parent();
        let below = |path: &Path| {
            if is_folder { path.parent() == Some(ancestor) } else { path.starts_with(ancestor) }
        };
        let found: BTreeSet<&PathBuf> =
            files.iter().map(|(path, _)| path).filter(|path| below(path)).collect();
        if !is_folder && found.len() > AROUND {
            break;
        }
        taken = found;
    }
    Ok(files.iter().filter(|(path, _)| *path == case.path || taken.contains(path)).cloned().collect())
}

fn is_installed(path: &Path) -> bool {
    path.components()
        .any(|part| matches!(part.as_os_str().to_str(), Some("node_modules" | "dist" | "build" | "vendor")))
}
