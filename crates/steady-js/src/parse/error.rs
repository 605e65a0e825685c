//! What can be wrong with a file.

use thiserror::Error;

/// The largest file that is read, in bytes.
pub const LARGEST: usize = 16 << 20;

/// A file could not be read as JavaScript or TypeScript.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParseError {
    /// The text breaks the grammar.
    #[error("{message} in line {line}, column {column}")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column, from 1, in UTF-16 code units.
        column: usize,
        /// How many characters are wrong, at least 1 and none behind the line's end.
        width: usize,
        /// What the parser says.
        message: String,
        /// The text of the line.
        source_line: String,
    },
    /// The file's name says that it is something else.
    #[error(
        "`.{extension}` is neither JavaScript nor TypeScript: js, jsx, mjs, cjs, ts, tsx, mts and cts are"
    )]
    Extension {
        /// How the name ends.
        extension: String,
    },
    /// There is more than is read.
    #[error("{bytes} bytes are more than the {LARGEST} that are read")]
    TooLarge {
        /// How many bytes there are.
        bytes: usize,
    },
    /// Brackets, operators or `else` are nested as no person and no tool nests them.
    #[error("nested {depth} deep, more than the {limit} that are read")]
    TooDeep {
        /// How deep it may be at most.
        depth: usize,
        /// How deep it may be.
        limit: usize,
    },
    /// The parser panicked: a fault of it, or of steady, that only this file shows.
    #[error("the parser crashed on this file; leave it out and report it")]
    Crashed,
    /// No thread to read it on: the machine is out of memory.
    #[error("cannot start a thread with {stack} bytes of stack to read it on")]
    NoThread {
        /// The stack that was asked for.
        stack: usize,
    },
}

impl ParseError {
    /// The line, from 1, if one line is to blame.
    pub fn line(&self) -> Option<usize> {
        match self {
            Self::Syntax { line, .. } => Some(*line),
            _ => None,
        }
    }

    /// The column, from 1, if one place is to blame.
    pub fn column(&self) -> Option<usize> {
        match self {
            Self::Syntax { column, .. } => Some(*column),
            _ => None,
        }
    }
}
