//! Where a failure happened, from what the test runner printed about it.
//!
//! [`fix_location`] takes the project's frame that is nearest to the failure: the last statement of the project that ran.
//! A helper of the project that only wraps a wait is such a frame; the runner's own code and packages are not.
//!
//! Each runner has a file here with the same shape: `read` says what a line tells, if it is one of that runner's lines.
//! Stacks come before what is less exact: the marked line of an excerpt, a frame of a bundle, the place of the test.

mod cypress;
mod jest;
mod mocha;
mod node;
mod place;
mod plain;
mod playwright;
mod vitest;

use std::path::{Component, Path, PathBuf};

use serde::Serialize;

/// More frames than this are not looked at.
const FRAMES: usize = 5_000;

/// What each runner makes of a line. A runner whose frames look like another's, with more in them, comes before it.
const FORMATS: [fn(&str) -> Option<Told>; 6] =
    [cypress::read, playwright::read, vitest::read, jest::read, mocha::read, node::read];

/// How exactly a frame says where the failure is, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// A line of a stack.
    Stack,
    /// The marked line of an excerpt of code.
    Excerpt,
    /// A line of a stack whose numbers count the lines of a bundle, not those of the file it names.
    Bundle,
    /// The place of the test that failed: all that is said when a test took too long.
    Test,
}

/// A place in code that the text of a failure names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Frame {
    /// How exact it is.
    pub evidence: Evidence,
    /// The function, if it is named.
    pub function: Option<String>,
    /// The file as it is written: a path or an address.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: Option<usize>,
}

/// A place in a file of the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Location {
    /// The file, relative to the project's folder.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in UTF-16 code units.
    pub column: Option<usize>,
}

/// What a line tells.
#[derive(Debug, PartialEq, Eq)]
enum Told {
    /// A frame.
    Frame(Frame),
    /// The marked line of an excerpt, in a file that is named elsewhere.
    Marked(usize),
    /// A failure begins; where its test stands, as far as the line says.
    Failure(Option<Subject>),
}

/// What a failure is about.
#[derive(Debug, PartialEq, Eq)]
struct Subject {
    path: String,
    at: Option<(usize, Option<usize>)>,
}

/// The frames in the text of a failure, in the order they are written. Where the text says that a failure begins, what
/// comes before it (what the test printed, say) counts only if nothing comes after it.
pub fn frames(text: &str) -> Vec<Frame> {
    let text = plain::plain(text);
    let mut frames = Vec::new();
    let mut before = Vec::new();
    let mut failed = false;
    let mut file: Option<String> = None;
    for line in text.lines() {
        if frames.len() >= FRAMES {
            break;
        }
        match FORMATS.iter().find_map(|read| read(line)) {
            Some(Told::Frame(frame)) => frames.push(frame),
            Some(Told::Marked(line)) => {
                let marked = file.clone().map(|path| Frame::of(Evidence::Excerpt, path, line, None));
                frames.extend(marked);
            }
            Some(Told::Failure(subject)) => {
                if !failed {
                    before = std::mem::take(&mut frames);
                    failed = true;
                }
                if let Some(Subject { path, at }) = subject {
                    frames.extend(
                        at.map(|(line, column)| Frame::of(Evidence::Test, path.clone(), line, column)),
                    );
                    file = Some(path);
                }
            }
            None => {}
        }
    }
    if frames.is_empty() { before } else { frames }
}

/// The project's frame that is nearest to the failure. Only files that are there count, and only those that people
/// write: not packages, and what was built only when nothing else is named.
///
/// ```
/// use std::path::{Path, PathBuf};
///
/// let project = Path::new(env!("CARGO_MANIFEST_DIR"));
/// let text = "TypeError: nothing there
///     at find (node_modules/dom/index.js:9:1)
///     at open (src/lib.rs:3:7)";
/// let location = steady_waits::stack::fix_location(text, project).expect("a frame of the project");
/// assert_eq!((location.path, location.line), (PathBuf::from("src/lib.rs"), 3));
/// ```
pub fn fix_location(text: &str, project: &Path) -> Option<Location> {
    nearest(text, project, &|_| true)
}

/// The frame of one file of the project, given relative to it, that is nearest to the failure.
pub fn fix_location_in(text: &str, project: &Path, file: &Path) -> Option<Location> {
    let file = file.components().filter(|part| *part != Component::CurDir).collect::<PathBuf>();
    nearest(text, project, &|path| path == file)
}

fn nearest(text: &str, project: &Path, counts: &dyn Fn(&Path) -> bool) -> Option<Location> {
    let root = place::Root::of(project);
    let mut best: Option<((bool, Evidence), Location)> = None;
    for frame in frames(text) {
        let Some(path) = root.file(&frame.path).filter(|path| counts(path)) else { continue };
        let rank = (place::is_built(&path), frame.evidence);
        if best.as_ref().is_none_or(|(least, _)| rank < *least) {
            best = Some((rank, Location { path, line: frame.line, column: frame.column }));
        }
        if rank == (false, Evidence::Stack) {
            break;
        }
    }
    best.map(|(_, location)| location)
}

impl Frame {
    fn of(evidence: Evidence, path: String, line: usize, column: Option<usize>) -> Self {
        Self { evidence, function: None, path, line, column }
    }
}

#[cfg(test)]
mod tests;
