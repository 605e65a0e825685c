//! What can be wrong with test code that waits.

use std::path::Path;

use steady_js::ParseError;
use steady_waits::scripts::ScriptError;

use crate::error::UserError;
use crate::excerpt::Excerpt;

/// A file of test code cannot be read; a syntax error is shown with a caret.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct UnreadScript {
    error: ScriptError,
    excerpt: Option<Excerpt>,
}

impl From<ScriptError> for UnreadScript {
    fn from(error: ScriptError) -> Self {
        let excerpt = match &error {
            ScriptError::Parse { path, text, source } => caret(path, text, source),
            ScriptError::Io { .. } => None,
        };
        Self { error, excerpt }
    }
}

/// The place of a syntax error; the parser counts columns in UTF-16 code units.
fn caret(path: &Path, text: &str, error: &ParseError) -> Option<Excerpt> {
    let (line, column) = (error.line()?, error.column()?);
    let source = text.lines().nth(line - 1)?;
    let mut units = 0;
    let before = source.chars().take_while(|character| {
        units += character.len_utf16();
        units < column
    });
    Some(Excerpt::of_position(path, text, line, before.count() + 1, "here"))
}

impl UserError for UnreadScript {
    fn excerpt(&self) -> Option<&Excerpt> {
        self.excerpt.as_ref()
    }

    fn hint(&self) -> Option<String> {
        let hint = match &self.error {
            ScriptError::Io { .. } => "check the path; it is relative to the current folder",
            ScriptError::Parse { .. } => "fix the syntax error first; the file was not changed",
        };
        Some(hint.to_owned())
    }
}
