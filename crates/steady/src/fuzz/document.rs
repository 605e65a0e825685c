//! Where the document is, and where the API it describes.

use std::path::PathBuf;

use steady_http::BaseUrl;
use steady_openapi::{Api, LoadError, LoadOptions, Source, load as load_api};
use tokio::runtime::Runtime;

use crate::error::{CommandError, UsageError, UserError};
use crate::excerpt::Excerpt;
use crate::options::FuzzOptions;
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
pub fn load(runtime: &Runtime, options: &FuzzOptions) -> Result<Api, CommandError> {
    let source = match &options.openapi {
        DocumentSource::File(path) => Source::File(path.clone()),
        DocumentSource::Url(url) => Source::from(url.as_str()),
    };
    let limits = LoadOptions::default();
    let mut fetch = |url: &url::Url| {
        let client = options.client.clone();
        runtime.block_on(steady_http::get(url.as_str(), &client)).map_err(|error| chain(&error))
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

/// The base URL, and what stands between it and the document's paths.
///
/// A URL with a path of its own is taken as it is; one without gets the path of the document's server.
pub fn address(api: &Api, given: Option<&BaseUrl>) -> Result<(BaseUrl, String), UsageError> {
    let server = api.servers.first().map(String::as_str).unwrap_or_default();
    match given {
        Some(url) if url.path_prefix().is_empty() => Ok((url.clone(), path_of(server))),
        Some(url) => Ok((url.clone(), String::new())),
        None => match server.parse() {
            Ok(url) => Ok((url, String::new())),
            Err(_) => Err(UsageError {
                message: "the document does not say where the API runs".to_owned(),
                hint: "say it with `--url http://HOST:PORT`".to_owned(),
            }),
        },
    }
}

/// The path of a server, which may be relative: `/v1` of `https://example.com/v1/`.
fn path_of(server: &str) -> String {
    let after_scheme = server
        .split_once("://")
        .map_or(server, |(_, rest)| rest.find('/').map_or("", |slash| &rest[slash..]));
    let path = after_scheme.split(['?', '#']).next().unwrap_or_default().trim_matches('/');
    if path.is_empty() { String::new() } else { format!("/{path}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_servers_path_is_taken_from_absolute_and_relative_servers() {
        for (server, path) in [
            ("https://example.com/v1/", "/v1"),
            ("https://example.com", ""),
            ("/api/v2", "/api/v2"),
            ("/", ""),
            ("", ""),
        ] {
            assert_eq!(path_of(server), path, "{server}");
        }
    }
}
