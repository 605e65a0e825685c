//! Reads a file of the Web Fuzzing Commons format, in YAML, JSON or TOML.

use std::fs;
use std::path::Path;

use super::identity::{Accounts, IncompleteAuth};
use super::wfc::AuthFile;
use crate::error::{ReadError, UserError};
use crate::excerpt::Excerpt;
use crate::malformed::{self, OBJECT, TABLE};
use crate::suggest;

/// Authentication cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(ReadError),
    /// The file is not what it should be.
    #[error("{message}")]
    Malformed {
        /// What is wrong.
        message: String,
        /// Where.
        excerpt: Option<Box<Excerpt>>,
    },
    /// A user lacks something.
    #[error("{origin}: {source}")]
    Incomplete {
        /// The file.
        origin: String,
        /// Who lacks what.
        #[source]
        source: IncompleteAuth,
    },
}

impl UserError for AuthError {
    fn excerpt(&self) -> Option<&Excerpt> {
        match self {
            Self::Malformed { excerpt, .. } => excerpt.as_deref(),
            Self::Read(_) | Self::Incomplete { .. } => None,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Read(error) => error.hint(),
            Self::Malformed { message, .. } => suggest::hint_for(message),
            Self::Incomplete { source, .. } => source.hint(),
        }
    }
}

/// Reads the users of a file.
pub fn load_file(path: &Path) -> Result<Accounts, AuthError> {
    let text = fs::read_to_string(path).map_err(|source| {
        AuthError::Read(ReadError { what: "the authentication file", path: path.to_owned(), source })
    })?;
    let file = parse(path, &text)?;
    Accounts::of_users(file.auth, file.auth_template.as_ref())
        .map_err(|source| AuthError::Incomplete { origin: path.display().to_string(), source })
}

fn parse(path: &Path, text: &str) -> Result<AuthFile, AuthError> {
    let refused = |message: &str, object, excerpt: Option<Excerpt>| AuthError::Malformed {
        message: malformed::plain(message, object),
        excerpt: excerpt.map(Box::new),
    };
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => serde_json::from_str(text).map_err(|error| {
            let message = malformed::without_position(&error.to_string());
            let label = malformed::label(&message);
            let excerpt = Excerpt::of_position(path, text, error.line(), error.column(), label);
            refused(&message, OBJECT, Some(excerpt))
        }),
        Some("toml") => toml::from_str(text).map_err(|error| {
            let excerpt = error
                .span()
                .map(|span| Excerpt::of_span(path, text, span, malformed::label(error.message())));
            refused(error.message(), TABLE, excerpt)
        }),
        _ => yaml_serde::from_str(text).map_err(|error| {
            let message = malformed::without_position(&error.to_string());
            let label = malformed::label(&message);
            let excerpt =
                error.location().map(|at| Excerpt::of_position(path, text, at.line(), at.column(), label));
            refused(&message, OBJECT, excerpt)
        }),
    }
}
