//! Collects the reports of one run: the only part of this crate that reads files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use steady_model::rerun::TestResult;

use crate::base::Base;
use crate::case::Case;
use crate::error::ReadError;
use crate::format::{self, Format, SIZE_LIMIT};
use crate::{identity, walk};

/// How many files are examined; a pattern that matches more is taken for a mistake.
const FILE_LIMIT: usize = 10_000;

/// Where the runner writes its reports: paths and patterns, relative to the project's root.
///
/// A pattern may hold `*`, `?`, `[…]` and `**`. A folder means every report in it, at any depth; other files in it
/// are skipped. Links to folders are not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sources {
    patterns: Vec<String>,
}

/// The files that were there before a run, so that an old report is never taken for a new one.
///
/// Files are compared by time and size, not by comparing their time with the clock: file systems round times, and a
/// run may begin within the same tick in which the one before it ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snapshot(BTreeMap<PathBuf, Stamp>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    bytes: u64,
}

/// What the reports of one run say.
#[derive(Debug, Default)]
pub struct Collected {
    /// Every result of every report that could be read; tries of one test stand one after the other.
    pub results: Vec<TestResult>,
    /// The files that were read, relative to the root.
    pub files: Vec<String>,
    /// What could not be read, and why; the others are read all the same.
    pub notes: Vec<SourceError>,
}

/// A source without results.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are what the messages say; `file` is relative to the root")]
pub enum SourceError {
    /// The pattern is invalid.
    #[error("results pattern `{pattern}` is malformed at character {position}: {detail}")]
    Pattern { pattern: String, position: usize, detail: &'static str },
    /// No file matches.
    #[error("no file matches `{pattern}`; does the command write its report there?")]
    Missing { pattern: String },
    /// Files match, but none is of this run.
    #[error("{file} is from before this run; the command did not write it this time")]
    Stale { file: String },
    /// Too many files match.
    #[error("`{pattern}` matches more than {limit} files; name the reports more closely")]
    TooMany { pattern: String, limit: usize },
    /// The system refuses to read it.
    #[error("{file} cannot be read")]
    Unreadable { file: String, source: io::Error },
    /// It is too large.
    #[error(
        "{file} has {bytes} bytes, more than the {limit} that are read; let the runner leave out the tests' output"
    )]
    TooLarge { file: String, bytes: u64, limit: u64 },
    /// A runner wrote the same results in two formats; they are counted once.
    #[error("ignoring {file} ({format}): it duplicates another report")]
    Repeated { file: String, format: Format },
    /// It is not a report, or a broken one.
    #[error("{file}: {problem}")]
    Report { file: String, problem: ReadError },
}

impl Sources {
    /// Sources by these paths and patterns.
    pub fn new(patterns: impl IntoIterator<Item = impl Into<String>>) -> Result<Self, SourceError> {
        let patterns: Vec<String> = patterns.into_iter().map(Into::into).collect();
        for pattern in &patterns {
            glob::Pattern::new(pattern).map_err(|error| SourceError::Pattern {
                pattern: pattern.clone(),
                position: error.pos,
                detail: error.msg,
            })?;
        }
        Ok(Self { patterns })
    }

    /// What is there now; taken before a run.
    pub fn snapshot(&self, base: &Base) -> Snapshot {
        let files = self.patterns.iter().flat_map(|pattern| matches(base, pattern).files);
        Snapshot(files.filter_map(|file| Some((file.clone(), Stamp::of(&file).ok()?))).collect())
    }

    /// Reads what a run wrote: every matching file that is new or changed since `before`.
    pub fn collect(&self, base: &Base, before: &Snapshot) -> Collected {
        let mut collected = Collected::default();
        let mut cases = Vec::new();
        let mut reported: BTreeMap<Format, BTreeSet<String>> = BTreeMap::new();
        // By path, so that tests of the same name in two files get the same numbers in every run.
        let mut fresh: BTreeMap<PathBuf, bool> = BTreeMap::new();
        for pattern in &self.patterns {
            let found = matches(base, pattern);
            if found.cut {
                collected.notes.push(SourceError::TooMany { pattern: pattern.clone(), limit: FILE_LIMIT });
            }
            if found.files.is_empty() {
                collected.notes.push(SourceError::Missing { pattern: pattern.clone() });
            }
            let is_new = |file: &PathBuf| Stamp::of(file).ok().as_ref() != before.0.get(file);
            let (new, old): (Vec<PathBuf>, Vec<PathBuf>) = found.files.into_iter().partition(is_new);
            if let (true, Some(old)) = (new.is_empty(), old.first()) {
                collected.notes.push(SourceError::Stale { file: name(base, old) });
            }
            for file in new {
                let named = fresh.entry(file).or_default();
                *named |= !found.folder;
            }
        }
        for (path, named) in fresh {
            let file = name(base, &path);
            match read_file(&path, &file) {
                Ok(bytes) => match format::cases(&bytes, base) {
                    Ok((format, read)) if is_repetition(&reported, format, &read) => {
                        collected.notes.push(SourceError::Repeated { file, format });
                    }
                    Ok((format, read)) => {
                        reported.entry(format).or_default().extend(read.iter().map(|case| case.id.clone()));
                        cases.extend(read);
                        collected.files.push(file);
                    }
                    Err(ReadError::Unknown | ReadError::Empty) if !named => {}
                    Err(problem) => collected.notes.push(SourceError::Report { file, problem }),
                },
                Err(error) => collected.notes.push(error),
            }
        }
        collected.results = identity::number(cases);
        collected
    }
}

/// Whether most of these tests are in another format too: two reporters of one runner.
fn is_repetition(reported: &BTreeMap<Format, BTreeSet<String>>, format: Format, cases: &[Case]) -> bool {
    reported.iter().filter(|(other, _)| **other != format).any(|(_, ids)| {
        let known = cases.iter().filter(|case| ids.contains(&case.id)).count();
        known * 2 > cases.len()
    })
}

impl Stamp {
    fn of(file: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(file)?;
        Ok(Self { modified: metadata.modified().ok(), bytes: metadata.len() })
    }
}

struct Matches {
    files: Vec<PathBuf>,
    folder: bool,
    cut: bool,
}

fn matches(base: &Base, pattern: &str) -> Matches {
    let folder = base.root().join(pattern).is_dir();
    let inside = Path::new(pattern).join("**/*");
    let pattern = if folder { inside.to_string_lossy() } else { pattern.into() };
    let mut files = walk::files(base.root(), &pattern, FILE_LIMIT + 1);
    let cut = files.len() > FILE_LIMIT;
    files.truncate(FILE_LIMIT);
    Matches { files, folder, cut }
}

fn name(base: &Base, path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    base.relative(&absolute.to_string_lossy())
}

fn read_file(path: &Path, file: &str) -> Result<Vec<u8>, SourceError> {
    let unreadable = |source| SourceError::Unreadable { file: file.to_owned(), source };
    let opened = File::open(path).map_err(unreadable)?;
    let bytes = opened.metadata().map_err(unreadable)?.len();
    if bytes > SIZE_LIMIT {
        return Err(SourceError::TooLarge { file: file.to_owned(), bytes, limit: SIZE_LIMIT });
    }
    let mut content = Vec::new();
    // The file may grow while it is read.
    opened.take(SIZE_LIMIT).read_to_end(&mut content).map_err(unreadable)?;
    Ok(content)
}
