//! What can go wrong with mocks, with its place and what to do.

use steady_mock::mapping::MappingError;
use steady_mock::{ListenError, TrustError};
use steady_openapi::LoadError;

use crate::error::UserError;
use crate::excerpt::Excerpt;

/// A mapping that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub(super) struct BadMapping {
    error: MappingError,
    excerpt: Option<Excerpt>,
}

impl From<MappingError> for BadMapping {
    fn from(error: MappingError) -> Self {
        let excerpt = match &error {
            MappingError::Invalid { origin, line, text, span, .. } => Some(Excerpt {
                origin: origin.clone(),
                line_number: *line,
                line: text.clone(),
                span: span.clone(),
                label: "here".to_owned(),
            }),
            _ => None,
        };
        Self { error, excerpt }
    }
}

impl BadMapping {
    /// Everything in one line, for a warning.
    pub(super) fn line(&self) -> String {
        match &self.error {
            MappingError::Invalid { origin, line, column, message, .. } => {
                format!("{origin}:{line}:{column}: {message}")
            }
            other => other.to_string(),
        }
    }
}

impl UserError for BadMapping {
    fn excerpt(&self) -> Option<&Excerpt> {
        self.excerpt.as_ref()
    }

    fn hint(&self) -> Option<String> {
        Some(self.error.hint())
    }
}

/// An OpenAPI document that cannot be loaded.
#[derive(Debug, thiserror::Error)]
#[error("{source}")]
pub(super) struct BadDocument {
    source: LoadError,
    excerpt: Option<Excerpt>,
}

impl From<LoadError> for BadDocument {
    fn from(source: LoadError) -> Self {
        let excerpt = match &source {
            LoadError::Syntax { name, excerpt, .. } => Some(Excerpt {
                origin: name.clone(),
                line_number: excerpt.line,
                line: excerpt.text.clone(),
                span: caret(&excerpt.text, excerpt.caret),
                label: "here".to_owned(),
            }),
            _ => None,
        };
        Self { source, excerpt }
    }
}

/// The bytes of the character that so many others stand before.
fn caret(text: &str, before: usize) -> std::ops::Range<usize> {
    text.char_indices().nth(before).map_or(text.len()..text.len(), |(at, found)| at..at + found.len_utf8())
}

impl UserError for BadDocument {
    fn excerpt(&self) -> Option<&Excerpt> {
        self.excerpt.as_ref()
    }

    fn hint(&self) -> Option<String> {
        Some(self.source.hint().to_owned())
    }
}

impl UserError for ListenError {
    fn hint(&self) -> Option<String> {
        Self::hint(self)
    }
}

impl UserError for TrustError {}
