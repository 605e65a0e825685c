//! What every runner offers.

use std::fmt;
use std::path::Path;

use steady_model::rerun::TestId;

use crate::{Invocation, Project, Unsupported, What};

/// A test runner: how to recognise it and what to add to its command line.
///
/// The methods add to the user's options and remove none; they may be called in any order, each
/// once for an invocation.
pub trait Runner: fmt::Debug + Send + Sync {
    /// Its name, in lower case.
    fn name(&self) -> &'static str;

    /// Whether it is a runner at all, which reports every test it runs.
    fn is_known(&self) -> bool {
        true
    }

    /// Whether these words start this runner, and where among them more arguments may stand. Launchers such as `npx`
    /// are taken off the front already.
    fn recognise(&self, words: &[String], project: &Project) -> Option<usize>;

    /// Adds what makes it write results into `folder`, and says where to read them.
    fn report(&self, invocation: &mut Invocation, folder: &Path) -> Report;

    /// Adds what makes it run these tests and no others.
    fn select(&self, invocation: &mut Invocation, tests: &[TestId]) -> Result<(), Unsupported>;

    /// Adds what makes it run tests one after the other, in this order.
    fn order(&self, invocation: &mut Invocation, order: Order<'_>) -> Result<Keeping, Unsupported>;
}

/// An order for tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order<'a> {
    /// These first, as listed, then all others as they come.
    Listed(&'a [TestId]),
    /// Drawn by this seed: the same seed and the same tests make the same order.
    Shuffled(u64),
}

impl Order<'_> {
    /// What is asked of a runner by this order.
    pub(crate) fn what(self) -> What {
        match self {
            Self::Listed(_) => What::Listed,
            Self::Shuffled(_) => What::Shuffled,
        }
    }
}

/// How closely a runner keeps to an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeping {
    /// Test by test, in one process.
    Exactly,
    /// Tests of one block (a file, a class, a `describe`) stay together. A block stands where the last of its listed
    /// tests stands, so the test listed last has all listed tests before it.
    ByBlock,
    /// Test by test, each in its own process: memory left by one test does not reach the next.
    Apart,
}

/// Where the results of a run are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// All places; the format is recognised by the content.
    pub sources: Vec<Source>,
}

/// One place results are found in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Files that match this pattern (`*` within a name, `**` over folders), relative to the project. Only those
    /// written since the run began count.
    Files(String),
    /// What the command prints on standard output.
    Output,
}

impl Report {
    /// Results in one file of `folder`.
    pub(crate) fn file(folder: &Path, name: &str) -> Self {
        Self::files([folder.join(name).display().to_string()])
    }

    /// Results in the files these patterns match.
    pub(crate) fn files(patterns: impl IntoIterator<Item = String>) -> Self {
        Self { sources: patterns.into_iter().map(Source::Files).collect() }
    }
}
