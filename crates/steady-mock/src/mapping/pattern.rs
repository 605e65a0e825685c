//! Regular expressions of mappings.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A regular expression that a whole text has to match, as in Java.
#[derive(Clone)]
pub struct Pattern {
    source: String,
    compiled: Arc<Compiled>,
}

enum Compiled {
    /// Linear in the text.
    Regular(regex::Regex),
    /// With look-around or back-references; its steps are bounded.
    Backtracking(fancy_regex::Regex),
}

/// The text is no regular expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{source_text}` is not a regular expression: {reason}")]
pub struct ParsePatternError {
    source_text: String,
    reason: String,
}

impl Pattern {
    /// The expression as written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the whole text matches. An expression that takes too long does not match.
    pub fn is_match(&self, text: &str) -> bool {
        match self.compiled.as_ref() {
            Compiled::Regular(regex) => regex.is_match(text),
            Compiled::Backtracking(regex) => regex.is_match(text).unwrap_or(false),
        }
    }

    /// The expression for a set of them, when it can be part of one.
    pub(crate) fn for_set(&self) -> Option<&str> {
        match self.compiled.as_ref() {
            Compiled::Regular(regex) => Some(regex.as_str()),
            Compiled::Backtracking(_) => None,
        }
    }
}

impl FromStr for Pattern {
    type Err = ParsePatternError;

    fn from_str(source: &str) -> Result<Self, Self::Err> {
        let whole = format!(r"\A(?:{source})\z");
        let compiled = match regex::Regex::new(&whole) {
            Ok(regex) => Compiled::Regular(regex),
            Err(_) => Compiled::Backtracking(fancy_regex::Regex::new(&whole).map_err(|error| {
                let reason = error.to_string();
                let reason = reason.lines().last().unwrap_or_default();
                let reason = reason.trim_start_matches("error: ").to_owned();
                ParsePatternError { source_text: source.to_owned(), reason }
            })?),
        };
        Ok(Self { source: source.to_owned(), compiled: Arc::new(compiled) })
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pattern").field(&self.source).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_text_has_to_match() {
        let table = [
            ("a+", "aaa", true),
            ("a+", "baaa", false),
            ("a|ab", "ab", true),
            ("(?!x).*", "y", true),
            ("(?!x).*", "xy", false),
            (r"(a)\1", "aa", true),
        ];
        for (pattern, text, expected) in table {
            assert_eq!(pattern.parse::<Pattern>().unwrap().is_match(text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn an_expression_that_backtracks_without_end_does_not_match() {
        let pattern: Pattern = r"(?=a)(a|aa)+\1b".parse().unwrap();
        assert!(!pattern.is_match(&"a".repeat(4000)));
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        let message = "[a".parse::<Pattern>().unwrap_err().to_string();
        assert!(message.starts_with("`[a` is not a regular expression: "), "{message}");
    }
}
