//! A value that a wait could have.

use std::path::PathBuf;

use serde::Serialize;
use steady_js::{Form, Kind};

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A line of a test as it is now.
    Current,
    /// A line as it was.
    History,
    /// No line at all: what fixes of such waits usually are.
    Guess,
}

/// A value that a wait could have, best first in a list of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Candidate {
    /// How long, in milliseconds.
    pub ms: u64,
    /// How much speaks for it, between 0 and 1.
    pub score: f64,
    /// Where it comes from.
    pub origin: Origin,
    /// The file it was read from, relative to the folder steady runs in; `None` for a guess.
    pub path: Option<PathBuf>,
    /// The line there, from 1.
    pub line: Option<usize>,
    /// The commit that had it, for [`Origin::History`].
    pub commit: Option<String>,
    /// The text of the line.
    pub text: Option<String>,
    /// Who pays for the wait it was read from.
    pub kind: Option<Kind>,
    /// How the wait it was read from is written.
    pub form: Option<Form>,
    /// Why it stands where it does, in words: `same helper, chosen as a fix twice`.
    pub why: String,
}
