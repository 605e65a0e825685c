//! Loads the document.

use std::path::PathBuf;

use steady_http::ClientOptions;
use steady_openapi::{Api, LoadError, LoadOptions, Source, load as load_api};
use tokio::runtime::Runtime;

use crate::error::{CommandError, UserError};
use crate::excerpt::Excerpt;
use crate::values::DocumentSource;

/// The document could not be loaded, and where in it.
#[derive(Debug, thiserror::Error)]
#[error("{source}")]
struct DocumentError {
    source: LoadError,
    excerpt: Option<Excerpt>,
}

impl UserError for DocumentError {
    fn excerpt(&self) -> Option<&Excerpt> {
        self.excerpt.as_ref()
    }

    fn hint(&self) -> Option<String> {
        Some(self.source.hint().to_owned())
    }
}

/// Loads the document from its file or URL.
pub fn load(runtime: &Runtime, source: &DocumentSource, client: &ClientOptions) -> Result<Api, CommandError> {
    let source = match source {
        DocumentSource::File(path) => Source::File(path.clone()),
        DocumentSource::Url(url) => Source::from(url.as_str()),
    };
    let limits = LoadOptions::default();
    let mut fetch = |url: &url::Url| {
        runtime.block_on(steady_http::get(url.as_str(), client)).map_err(|error| chain(&error))
    };
    load_api(&source, &limits, &mut fetch)
        .map_err(|source| DocumentError { excerpt: excerpt(&source), source }.into())
}

/// An error with its causes, in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source()).map(ToString::to_string);
    std::iter::once(error.to_string()).chain(causes).collect::<Vec<_>>().join(": ")
}

fn excerpt(error: &LoadError) -> Option<Excerpt> {
    let LoadError::Syntax { name, message, excerpt, .. } = error else { return None };
    let start: usize = excerpt.text.chars().take(excerpt.caret).map(char::len_utf8).sum();
    let width = excerpt.text[start..].chars().next().map_or(0, char::len_utf8);
    Some(Excerpt {
        origin: PathBuf::from(name).display().to_string(),
        line_number: excerpt.line,
        line: excerpt.text.clone(),
        span: start..start + width,
        label: message.clone(),
    })
}
