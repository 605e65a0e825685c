//! Loads the document.

use std::path::PathBuf;

use steady_http::{ClientOptions, GetError, Redirects};
use steady_openapi::{Api, Fetched, LoadError, LoadOptions, Source, load as load_api};
use tokio::runtime::Runtime;

use crate::error::{CommandError, Interrupted, UserError, on_one_line};
use crate::excerpt::Excerpt;
use crate::session::Session;
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

/// Loads the document from its file or URL; `allow_refs` says whether its references may lead anywhere.
pub fn load(
    session: &Session,
    runtime: &Runtime,
    source: &DocumentSource,
    allow_refs: bool,
    client: &ClientOptions,
) -> Result<Api, CommandError> {
    let source = match source {
        DocumentSource::File(path) => Source::File(path.clone()),
        DocumentSource::Url(url) => Source::from(url.as_str()),
    };
    let options = LoadOptions { allow_refs, ..LoadOptions::default() };
    let mut fetch = |url: &url::Url, may_leave: bool| {
        let redirects = if may_leave { Redirects::Anywhere } else { Redirects::SameOrigin };
        let fetched = session.unless_cancelled(runtime, steady_http::get(url.as_str(), redirects, client));
        let fetched = fetched.map_err(|interrupted| interrupted.to_string())?;
        fetched.map(|fetched| Fetched { text: fetched.text, url: fetched.url }).map_err(|error| match error {
            GetError::ForeignRedirect { .. } => {
                format!("{error}; such references are not followed without --allow-refs")
            }
            error => on_one_line(&error),
        })
    };
    let loaded = load_api(&source, &options, &mut fetch);
    if session.cancel().is_requested() {
        return Err(Interrupted.into());
    }
    loaded.map_err(|source| DocumentError { excerpt: excerpt(&source), source }.into())
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
