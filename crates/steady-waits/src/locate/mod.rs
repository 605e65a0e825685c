//! Finds values for a wait that is too short: in the tests around it, in their past, and in what fixes usually are.
//!
//! [`read_corpus`] reads the test files around a place (or [`Corpus::of`] takes texts), [`read_past`] the history of its folder. [`locate`]
//! then says what stands at the place and ranks the values that could be right. The steps, one file each: `target` (what is there),
//! `evidence` (which lines and commits speak for which value, `similar` compares lines, `fragment` reads lines of the past), `guess` (values
//! that no line has), `features` and `raise` (evidence as numbers), `model` (numbers as a probability, with the fitted `weights`), `rank` (the list,
//! with reasons). `traf` is the paper's ranking, as a baseline.
//!
//! ```
//! use std::path::{Path, PathBuf};
//! use steady_waits::locate::{Corpus, Query, Ranking, locate};
//!
//! let text = "
//! it('saves', async () => {
//!   await page.waitForTimeout(500);
//! });
//! it('loads', async () => {
//!   await page.waitForTimeout(1000);
//! });
//! ";
//! let corpus = Corpus::of(&[(PathBuf::from("save.spec.ts"), text.to_owned())]);
//! let query = Query { file: Path::new("save.spec.ts"), line: 3, past: None, addition: None };
//! let located = locate(&corpus, &query, Ranking::Learned)?;
//! assert_eq!(located.target.old_ms(), Some(500));
//! assert_eq!(located.candidates[0].ms, 1000);
//! # Ok::<(), steady_waits::locate::LocateError>(())
//! ```

mod corpus;
mod evidence;
mod features;
pub(crate) mod fragment;
mod guess;
mod model;
mod raise;
mod rank;
mod ranking;
mod read;
mod similar;
mod target;
#[cfg(test)]
mod tests;
mod traf;
mod weights;
mod words;

use std::path::{Path, PathBuf};

use steady_history::Past;
use steady_js::Kind;

pub use corpus::{Corpus, Source};
pub use evidence::{Changed, Evidence, Scope, Seen};
pub use features::rated;
pub use model::{FACTS, Mixture, Model, Rated, SHARES, Tables, leading, probabilities};
pub use rank::ordered;
pub use ranking::{Ranking, UnknownRanking};
pub use read::{AROUND, past_query, read_corpus, read_past};
pub use target::{Addition, Context, KINDS, Target};
pub use weights::fitted;

use crate::Candidate;

/// A place that waits too short.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// The file, named as in the corpus.
    pub file: &'a Path,
    /// The line, from 1. One just behind the end of the file is taken as the last.
    pub line: usize,
    /// The past of the folder, paths named as in the corpus.
    pub past: Option<&'a Past>,
    /// What will be written, where there is no wait yet and that is known.
    pub addition: Option<Addition>,
}

/// What was found for a place.
#[derive(Debug, Clone)]
pub struct Located {
    /// What stands there.
    pub target: Target,
    /// Its kind; for a place without a wait, the likeliest one.
    pub kind: Kind,
    /// The values, best first. Never empty for [`Ranking::Learned`].
    pub candidates: Vec<Candidate>,
}

/// Why nothing could be looked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LocateError {
    /// The file was not read.
    #[error("`{}` is not among the files that were read", file.display())]
    NoFile {
        /// The file.
        file: PathBuf,
    },
    /// The file ends before.
    #[error("`{}` has {lines} lines, so there is no line {line}", file.display())]
    NoLine {
        /// The file.
        file: PathBuf,
        /// The line asked for.
        line: usize,
        /// How many there are.
        lines: usize,
    },
}

/// Ranks the values that a wait could have.
///
/// # Errors
///
/// If the file is not in the corpus or the line not in the file.
pub fn locate(corpus: &Corpus, query: &Query<'_>, ranking: Ranking) -> Result<Located, LocateError> {
    let evidence = evidence(corpus, query)?;
    let model = fitted();
    let candidates = ranked(&evidence, ranking, &model);
    let likely = features::kinds(&evidence, &model.tables);
    let likeliest =
        (0..KINDS.len()).max_by(|&one, &two| likely[one].total_cmp(&likely[two])).unwrap_or_default();
    let kind = evidence.kind().unwrap_or(KINDS[likeliest]);
    Ok(Located { target: evidence.target, kind, candidates })
}

/// Ranks the values for a place by what is known about it.
pub fn ranked(evidence: &Evidence, ranking: Ranking, model: &Model) -> Vec<Candidate> {
    let baseline = |by_similarity: bool, why: &str| {
        let values = traf::baseline(evidence, by_similarity).into_iter();
        values.map(|(ms, score)| rank::candidate(evidence, ms, score, why.to_owned())).collect()
    };
    match ranking {
        Ranking::Learned => rank::learned(evidence, model),
        Ranking::Traf => baseline(true, "on the line most alike"),
        Ranking::Frequency => baseline(false, "most frequent in the folder"),
    }
}

/// Gathers what is known about a place, for [`locate`] and for whoever fits the model.
///
/// # Errors
///
/// As [`locate`].
pub fn evidence(corpus: &Corpus, query: &Query<'_>) -> Result<Evidence, LocateError> {
    let Some(place) = corpus.file(query.file) else {
        return Err(LocateError::NoFile { file: query.file.to_owned() });
    };
    let lines = place.text.lines().count();
    if query.line == 0 || query.line > lines + 1 {
        return Err(LocateError::NoLine { file: query.file.to_owned(), line: query.line, lines });
    }
    let evidence = Evidence::gather(corpus, place, query.line.min(lines.max(1)), query.past);
    let addition = query.addition.filter(|_| evidence.target.wait().is_none());
    Ok(Evidence { addition, ..evidence })
}
