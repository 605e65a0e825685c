//! A line of a file.

use std::path::PathBuf;
use std::str::FromStr;

use super::ValueError;

/// A file, or a line of it: `e2e/cart.spec.ts:41`, as runners and editors write it; a column may follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLine {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: Option<usize>,
}

impl FromStr for FileLine {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ValueError {
            given: text.to_owned(),
            expected: "a line of a file; write FILE:LINE, like e2e/cart.spec.ts:41, lines count from 1",
        };
        let numbered = |text: &str| {
            let (path, number) = text.rsplit_once(':')?;
            Some((path.to_owned(), number.parse::<usize>().ok()?))
        };
        // `cart.spec.ts:41:7`: what comes last is a column.
        let (path, line) = match numbered(text).map(|(path, last)| (numbered(&path), path, last)) {
            None => (text.to_owned(), None),
            Some((None, path, line)) | Some((Some((path, line)), _, _)) => (path, Some(line)),
        };
        if path.is_empty() || line == Some(0) {
            return Err(error());
        }
        Ok(Self { path: path.into(), line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_and_a_column_may_follow_the_file() {
        let at = |text: &str| text.parse::<FileLine>().map(|at| (at.path.display().to_string(), at.line));
        assert_eq!(at("e2e/a.ts"), Ok(("e2e/a.ts".to_owned(), None)));
        assert_eq!(at("e2e/a.ts:41"), Ok(("e2e/a.ts".to_owned(), Some(41))));
        assert_eq!(at("e2e/a.ts:41:7"), Ok(("e2e/a.ts".to_owned(), Some(41))));
        assert_eq!(at("C:/a.ts:4"), Ok(("C:/a.ts".to_owned(), Some(4))));
        assert!(at("a.ts:0").is_err() && at(":3").is_err());
    }
}
