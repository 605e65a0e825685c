//! Why a mapping could not be read, and where that is.

use std::io;
use std::ops::Range;
use std::path::PathBuf;

/// A file of mappings that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MappingError {
    /// The file could not be read.
    #[error("cannot read `{}`", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The file is larger than [`MappingError::MAX_BYTES`].
    #[error("`{}` has {bytes} bytes, the limit is {}", path.display(), Self::MAX_BYTES)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// What it says is no mapping.
    #[error("{message}")]
    Invalid {
        /// The file, or what was sent in its place.
        origin: String,
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// The line's text.
        text: String,
        /// The bytes of the line that are meant.
        span: Range<usize>,
        /// What is wrong.
        message: String,
    },
}

impl MappingError {
    /// How large a file of mappings may be.
    pub const MAX_BYTES: u64 = 64 << 20;

    /// What the user can do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Unreadable { .. } => "check the path and that you may read the file".to_owned(),
            Self::TooLarge { .. } => "split the file".to_owned(),
            Self::Invalid { message, .. } if message.contains(NOT_SUPPORTED) => {
                "docs/mocks.md lists what is supported; remove the field, or serve this mapping with WireMock"
                    .to_owned()
            }
            Self::Invalid { .. } => {
                "correct the mapping at this place; docs/mocks.md lists the fields".to_owned()
            }
        }
    }

    /// A serde error in the text it was read from.
    pub(crate) fn of_json(origin: &str, source: &str, error: &serde_json::Error) -> Self {
        let whole = error.to_string();
        let message = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(message, _)| message);
        let at = offset(source, error.line(), error.column());
        let span = offender(message)
            .filter(|_| error.is_data())
            .and_then(|text| last_occurrence(&source[..at], text))
            .unwrap_or_else(|| token_before(source, at));
        Self::at(origin, source, span, explained(message))
    }

    /// An error whose message names what is wrong in backticks, in the text it is about.
    pub(crate) fn of_message(origin: &str, source: &str, message: &str) -> Self {
        let span = offender(message).and_then(|text| last_occurrence(source, text)).unwrap_or(0..0);
        Self::at(origin, source, span, message.to_owned())
    }

    /// An error about some bytes of a text.
    fn at(origin: &str, source: &str, span: Range<usize>, message: String) -> Self {
        let line_start = source[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = source[span.start..].find('\n').map_or(source.len(), |newline| span.start + newline);
        let text = source[line_start..line_end].trim_end_matches('\r').to_owned();
        let start = (span.start - line_start).min(text.len());
        let end = span.end.saturating_sub(line_start).clamp(start, text.len());
        Self::Invalid {
            origin: origin.to_owned(),
            line: source[..line_start].matches('\n').count() + 1,
            column: text[..start].chars().count() + 1,
            text,
            span: start..end,
            message,
        }
    }
}

const NOT_SUPPORTED: &str = "is not supported";

/// Fields of WireMock's mappings that are known and not supported, so that they are not called unknown.
const UNSUPPORTED: &[&str] = &[
    "additionalProxyRequestHeaders",
    "after",
    "before",
    "clientIp",
    "customMatcher",
    "equalToDateTime",
    "equalToXml",
    "matchesJsonSchema",
    "matchesPathTemplate",
    "matchesXPath",
    "multipartPatterns",
    "postServeActions",
    "proxyBaseUrl",
    "proxyUrlPrefixToRemove",
    "removeProxyRequestHeaders",
    "serveEventListeners",
];

/// The message, in other words when WireMock knows the field.
fn explained(message: &str) -> String {
    match offender(message).filter(|name| message.starts_with("unknown field") && UNSUPPORTED.contains(name))
    {
        Some(name) => format!("WireMock's `{name}` {NOT_SUPPORTED}"),
        None => message.to_owned(),
    }
}

/// What a message says is wrong: its first text in backticks.
fn offender(message: &str) -> Option<&str> {
    message.split('`').nth(1).filter(|text| !text.is_empty())
}

/// Where the text was last written as a JSON string or as it stands, quotes aside.
fn last_occurrence(source: &str, text: &str) -> Option<Range<usize>> {
    let quoted = serde_json::Value::from(text).to_string();
    let found = source.rfind(&quoted).map(|start| start + 1..start + quoted.len() - 1);
    found.or_else(|| source.rfind(text).map(|start| start..start + text.len()))
}

/// The word or sign that ends where serde stopped reading.
fn token_before(source: &str, at: usize) -> Range<usize> {
    let before = source[..at].trim_end();
    let end = before.len();
    let word = |character: char| character.is_alphanumeric() || "_.-\"".contains(character);
    let start = before.trim_end_matches(word).len();
    if start < end {
        return start..end;
    }
    let first = source.chars().next().map_or(0, char::len_utf8);
    before.char_indices().next_back().map_or(0..first, |(start, _)| start..end)
}

/// serde_json counts lines and columns from one, columns in bytes; the last byte read is the column.
fn offset(source: &str, line: usize, column: usize) -> usize {
    let start: usize = source.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let at = (start + column).min(source.len());
    (at..=source.len()).find(|&at| source.is_char_boundary(at)).unwrap_or(source.len())
}
