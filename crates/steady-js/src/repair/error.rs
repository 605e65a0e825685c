//! Why a wait cannot be changed.

use std::fmt;

use steady_edit::EditError;
use thiserror::Error;

use crate::ParseError;

/// A wait could not be changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RepairError {
    /// Nothing on the line runs: it is empty, a comment or a declaration.
    #[error("line {line} neither waits nor makes a call: name the line of a call")]
    NoWaitAt {
        /// The line, from 1.
        line: usize,
    },
    /// The file ends before the line.
    #[error("there is no line {line}: the file has {lines}")]
    LineOutOfRange {
        /// The line that was named.
        line: usize,
        /// How many lines there are.
        lines: usize,
    },
    /// A wait would have to be inserted where `await` is not allowed.
    #[error(
        "the function around line {line} is not async, so a wait cannot be inserted: make it async first"
    )]
    NotAsync {
        /// The line, from 1.
        line: usize,
    },
    /// There is a wait, and its length is not written in this file.
    #[error("the wait in line {line} cannot be changed here: {why}")]
    NotEditable {
        /// The line, from 1.
        line: usize,
        /// What is in the way.
        why: Obstacle,
    },
    /// Two parts of the change are about the same text.
    #[error("the parts of the change conflict")]
    Conflict {
        /// Where.
        #[source]
        error: EditError,
    },
    /// The change would break the file.
    #[error("the change would leave a file that does not parse")]
    WouldNotParse {
        /// What would be wrong with it.
        #[source]
        error: ParseError,
    },
}

/// What is in the way of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// The length is the result of something that only a run knows.
    ComputedAtRunTime,
    /// The call's options are the result of something, or its arguments are a list.
    OptionsComputed,
    /// A limit of a hook or a suite is set on `this`, which an arrow function does not have.
    ArrowHasNoThis,
    /// The line is a part of a text: code that a test writes, say.
    InText,
    /// A comment stands where a brace would have to.
    NoPlace,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::ComputedAtRunTime => "its length is computed at run time",
            Self::OptionsComputed => "its options are computed at run time",
            Self::ArrowHasNoThis => {
                "its limit is set by `this.timeout(…)`, which an arrow function does not have"
            }
            Self::InText => "the line is a part of a text",
            Self::NoPlace => "there is no place for a statement beside it",
        })
    }
}
