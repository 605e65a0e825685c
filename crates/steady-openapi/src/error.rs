//! Why a document could not be loaded at all.

use std::io;
use std::path::PathBuf;

use url::Url;

/// The document has no usable API; partial problems are in [`Api::problems`](crate::Api::problems) instead.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file could not be read.
    #[error("cannot read `{}`", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The URL returned no document.
    #[error("cannot fetch {url}: {message}")]
    Fetch {
        /// The URL.
        url: Url,
        /// Why, from the fetcher.
        message: String,
    },
    /// The document is larger than [`LoadOptions::max_bytes`](crate::LoadOptions::max_bytes).
    #[error("`{name}` has {bytes} bytes, the limit is {limit}")]
    TooLarge {
        /// The file or URL.
        name: String,
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// Neither JSON nor YAML.
    #[error("`{name}` is not valid {format}: {message}")]
    Syntax {
        /// The file or URL.
        name: String,
        /// The format it seems to be in: `JSON` or `YAML`.
        format: &'static str,
        /// What is wrong.
        message: String,
        /// Where.
        excerpt: Excerpt,
    },
    /// JSON or YAML, but not an OpenAPI document.
    #[error(
        "`{name}` is {found}, not an OpenAPI document: it has neither `openapi` nor `swagger` at its top"
    )]
    NotOpenApi {
        /// The file or URL.
        name: String,
        /// What it is instead, such as `a list`.
        found: &'static str,
    },
    /// A version of OpenAPI steady does not read.
    #[error("`{name}` is written in version {version} of OpenAPI, steady reads 2.0, 3.0, 3.1 and 3.2")]
    UnsupportedVersion {
        /// The file or URL.
        name: String,
        /// The version it states.
        version: String,
    },
}

impl LoadError {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => {
                "check the path and that you may read the file; a URL begins with http:// or https://"
            }
            Self::Fetch { .. } => "check the URL and that the API is running",
            Self::TooLarge { .. } => {
                "split the document, or remove the paths and examples that are not to be tested"
            }
            Self::Syntax { .. } => "correct the document at this place",
            Self::NotOpenApi { found: WEB_PAGE, .. } => {
                "give the URL of the document itself (often /openapi.json), not of the page that shows it"
            }
            Self::NotOpenApi { .. } => {
                "give the root document of the description; it begins with `openapi: 3.x` or `swagger: \"2.0\"`"
            }
            Self::UnsupportedVersion { .. } => "convert the document to OpenAPI 3, or correct its version",
        }
    }
}

pub(crate) const WEB_PAGE: &str = "a web page";

/// A place in the text, with enough of its line to draw a caret under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The line, or the part of a long one around the column.
    pub text: String,
    /// How many characters of `text` stand before the place.
    pub caret: usize,
}

impl Excerpt {
    const BEFORE: usize = 60;
    const LENGTH: usize = 120;

    /// The place at a line and column (both from 1) of a text.
    pub(crate) fn at(text: &str, line: usize, column: usize) -> Self {
        let whole = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
        let before = column.saturating_sub(1);
        let start = before.saturating_sub(Self::BEFORE);
        let shown: String = whole.chars().skip(start).take(Self::LENGTH).collect();
        let caret = (before - start).min(shown.chars().count());
        Self { line, column, text: shown, caret }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_the_line_with_the_caret_under_the_column() {
        let excerpt = Excerpt::at("one\ntwo three\n", 2, 5);
        assert_eq!((excerpt.text.as_str(), excerpt.caret), ("two three", 4));
    }

    #[test]
    fn an_excerpt_of_a_long_line_is_short_and_keeps_the_place() {
        let line = format!("{}X{}", "a".repeat(10_000), "b".repeat(10_000));
        let excerpt = Excerpt::at(&line, 1, 10_001);
        assert_eq!(excerpt.text.chars().count(), 120);
        assert_eq!(excerpt.text.chars().nth(excerpt.caret), Some('X'));
    }

    #[test]
    fn a_place_outside_the_text_does_no_harm() {
        assert_eq!(Excerpt::at("", 9, 9).caret, 0);
    }
}
