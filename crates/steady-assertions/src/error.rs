//! What can be wrong with a source.

use std::path::{Path, PathBuf};

/// The largest source that is read, in bytes; no test file is longer, and parsing takes many times its size.
pub const LARGEST: usize = 4 << 20;

/// A source that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// No language has this extension.
    #[error("{}: not a language whose tests can be read; expected .java, .kt, .py, .js, .jsx, .ts or .tsx", path.display())]
    Language {
        /// The file.
        path: PathBuf,
    },
    /// It is too large to be a test file.
    #[error("{}: {bytes} bytes are too many for a test file; at most {LARGEST} are read", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: usize,
    },
    /// Parsing it takes more work than any program would.
    #[error("{}: does not look like a program, and parsing it takes too long; the file is left as it is", path.display())]
    TooHard {
        /// The file.
        path: PathBuf,
    },
    /// The parser of JavaScript refuses it for another reason than a syntax error.
    #[error("{}: {error}; the file is left as it is", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Why.
        error: steady_js::ParseError,
    },
    /// It is not a program.
    #[error("{}:{line}:{column}: {what}; the file is left as it is", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The column in characters, counted from 1.
        column: usize,
        /// What is wrong there.
        what: String,
    },
}

impl ParseError {
    /// The same error of a file of JavaScript or TypeScript.
    pub(crate) fn of_script(path: &Path, error: steady_js::ParseError) -> Self {
        let path = path.to_owned();
        match error {
            steady_js::ParseError::Syntax { line, column, message, source_line, .. } => Self::Syntax {
                path,
                line,
                column: characters(&source_line, column),
                what: lowercase(&message),
            },
            error => Self::Refused { path, error },
        }
    }
}

/// A column in characters, given in UTF-16 code units; both from 1.
fn characters(line: &str, column: usize) -> usize {
    let mut units = 1;
    let before = line.chars().take_while(|c| {
        let is_before = units < column;
        units += c.len_utf16();
        is_before
    });
    before.count() + 1
}

/// A sentence as a part of another one.
fn lowercase(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_scripts_are_counted_in_characters() {
        assert_eq!(["a", "😀b", "😀b", "é"].map(|line| characters(line, 3)), [2, 2, 2, 2]);
        assert_eq!(characters("😀😀x", 5), 3);
        assert_eq!(characters("", 1), 1);
    }
}
