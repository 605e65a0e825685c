//! Errors a person can do something about.
//!
//! Each part has its own error type, which says **what** is wrong. By implementing [`UserError`] it also says
//! **where** (an [`Excerpt`] of a file) and **what to do** (a hint); printing is `crate::diagnostic`'s alone.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use steady_model::{Secrets, mask_address};
use steady_suite::Opening;

use crate::diagnostic;
use crate::excerpt::Excerpt;

/// An error with a place and advice.
pub trait UserError: Error + Send + Sync + 'static {
    /// The lines of a file it is about.
    fn excerpt(&self) -> Option<&Excerpt> {
        None
    }

    /// What to do about it.
    fn hint(&self) -> Option<String> {
        None
    }

    /// The last lines of what a program printed that it is about.
    fn output(&self) -> &[String] {
        &[]
    }
}

/// Why a command could not do its job; always leads to exit code 2.
#[derive(Debug)]
pub struct CommandError {
    inner: Box<dyn UserError>,
    /// What must not be shown of it.
    secrets: Secrets,
}

impl CommandError {
    /// The error itself.
    pub fn inner(&self) -> &dyn UserError {
        self.inner.as_ref()
    }

    /// Shown without these secrets.
    pub fn masking(mut self, secrets: &Secrets) -> Self {
        self.secrets = secrets.clone();
        self
    }

    /// The error as styled text.
    pub fn render(&self) -> String {
        self.secrets.mask(&mask_address(&diagnostic::render(self.inner()))).into_owned()
    }
}

impl<E: UserError> From<E> for CommandError {
    fn from(error: E) -> Self {
        Self { inner: Box::new(error), secrets: Secrets::default() }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

/// An error with its causes on one line, for warnings.
pub fn on_one_line(error: &dyn Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| (*cause).source()).map(ToString::to_string);
    std::iter::once(error.to_string()).chain(causes).collect::<Vec<_>>().join(": ")
}

/// A file that is needed cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {what} `{}`", path.display())]
pub struct ReadError {
    /// What the file is: `the suite`, `the configuration`.
    pub what: &'static str,
    /// The file.
    pub path: PathBuf,
    /// Why not.
    pub source: std::io::Error,
}

impl UserError for ReadError {
    fn hint(&self) -> Option<String> {
        match self.source.kind() {
            std::io::ErrorKind::NotFound => {
                Some("check the path; it is relative to the current folder".into())
            }
            std::io::ErrorKind::PermissionDenied => Some(format!("make `{}` readable", self.path.display())),
            std::io::ErrorKind::InvalidData => Some("the file must be UTF-8 text".into()),
            std::io::ErrorKind::IsADirectory => Some("give a file, not a folder".into()),
            _ => None,
        }
    }
}

/// Two inputs that do not go together, or one that is missing.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct UsageError {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl UserError for UsageError {
    fn hint(&self) -> Option<String> {
        Some(self.hint.clone())
    }
}

/// The asynchronous runtime did not start.
#[derive(Debug, thiserror::Error)]
#[error("cannot start the network runtime")]
pub struct RuntimeError(#[from] pub std::io::Error);

impl UserError for RuntimeError {}

/// Signals cannot be listened for.
#[derive(Debug, thiserror::Error)]
#[error("cannot install the Ctrl-C handler")]
pub struct SignalError(#[source] pub std::io::Error);

impl UserError for SignalError {}

/// The user ended the command before it had anything to report.
#[derive(Debug, thiserror::Error)]
#[error("interrupted before there was anything to report")]
pub struct Interrupted;

impl UserError for Interrupted {}

impl UserError for steady_http::ParseBaseUrlError {}

impl UserError for steady_sut::SutError {
    fn hint(&self) -> Option<String> {
        Self::hint(self)
    }

    fn output(&self) -> &[String] {
        Self::output(self)
    }
}

impl UserError for steady_http::ClientError {}

impl UserError for steady_http::GetError {}

impl UserError for steady_http::TransportError {}

impl UserError for steady_suite::SessionError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Refused { call: Opening::SignUp, .. } => {
                Some("check what the sign-up sends, and that the API lets anybody sign up".to_owned())
            }
            Self::Refused { call: Opening::Login, .. } | Self::Nothing { .. } => {
                Some("check the credentials and the login's description".to_owned())
            }
            Self::UnknownIdentity { .. }
            | Self::Bind { .. }
            | Self::Address { .. }
            | Self::Unanswered { .. } => None,
        }
    }
}

impl UserError for steady_model::shard::DetectError {}

impl UserError for steady_stats::OutOfRange {}

impl UserError for steady_stats::SprtError {}
