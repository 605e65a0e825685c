//! Reads `suite.json`.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use steady_http::BaseUrl;
use steady_model::Suite;
use steady_suite::{Environment, needed_environment};
use steady_sut::Sut;

use crate::config::Config;
use crate::error::{CommandError, ReadError, UsageError, UserError};
use crate::excerpt::Excerpt;
use crate::malformed;
use crate::suite::files::SUITE;
use crate::values::ApiUrl;

/// A suite cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// It cannot be read.
    #[error(transparent)]
    Read(ReadError),
    /// It is no suite.
    #[error("`{}` is not a suite: {message}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
        /// Where.
        excerpt: Box<Excerpt>,
    },
    /// It was written by a later steady.
    #[error("`{}` has version {version}, this steady reads version {}", path.display(), Suite::VERSION)]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u64,
    },
}

impl UserError for SuiteError {
    fn excerpt(&self) -> Option<&Excerpt> {
        match self {
            Self::Malformed { excerpt, .. } => Some(excerpt),
            Self::Read(_) | Self::Newer { .. } => None,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Read(error) => error.hint(),
            Self::Malformed { .. } => {
                Some("give the suite.json that `steady fuzz` wrote, or the folder it is in".to_owned())
            }
            Self::Newer { .. } => Some(format!(
                "this steady ({}) is older than the suite: upgrade steady, or make the suite again with this one",
                env!("CARGO_PKG_VERSION")
            )),
        }
    }
}

/// Reads a suite; a folder stands for the `suite.json` in it.
pub fn load(path: &Path) -> Result<Suite, SuiteError> {
    let path = if path.is_dir() { path.join(SUITE) } else { path.to_owned() };
    let text = fs::read_to_string(&path)
        .map_err(|source| SuiteError::Read(ReadError { what: "the suite", path: path.clone(), source }))?;
    parse(&path, &text)
}

fn parse(path: &Path, text: &str) -> Result<Suite, SuiteError> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u64,
    }

    let malformed = |error: serde_json::Error| {
        let message = malformed::without_position(&error.to_string());
        let label = malformed::label(&message);
        let excerpt = Box::new(Excerpt::of_position(path, text, error.line(), error.column(), label));
        SuiteError::Malformed {
            path: path.to_owned(),
            message: malformed::plain(&message, malformed::OBJECT),
            excerpt,
        }
    };
    // The version first: a later format may differ in anything else.
    let Versioned { version } = serde_json::from_str(text).map_err(malformed)?;
    if version > u64::from(Suite::VERSION) {
        return Err(SuiteError::Newer { path: path.to_owned(), version });
    }
    serde_json::from_str(text).map_err(malformed)
}

/// Where the API runs: the URL that was given, the API that steady started, `[api]` of `steady.toml`, or where it ran when the
/// suite was made, in this order.
pub fn base_url(
    given: Option<&BaseUrl>,
    sut: Option<&Sut>,
    config: &Config,
    suite: &Suite,
) -> Result<BaseUrl, CommandError> {
    if let Some(url) = given {
        return Ok(url.clone());
    }
    if let Some(sut) = sut {
        return Ok(sut.url().parse()?);
    }
    match config.api.url.as_ref().and_then(ApiUrl::fixed) {
        Some(url) => Ok(url),
        None => Ok(url_of(suite)?),
    }
}

fn url_of(suite: &Suite) -> Result<BaseUrl, UsageError> {
    suite.api.url.parse().map_err(|error| UsageError {
        message: format!("cannot use the suite's own URL: {error}"),
        hint: "say where the API runs with `--url BASE`".to_owned(),
    })
}

/// Secrets are missing from the environment.
#[derive(Debug, thiserror::Error)]
#[error("the suite needs {} from the environment: {}", if names.len() == 1 { "a secret" } else { "secrets" }, names.join(", "))]
pub struct MissingEnvironment {
    names: Vec<String>,
}

impl UserError for MissingEnvironment {
    fn hint(&self) -> Option<String> {
        let first = self.names.first()?;
        let them = if self.names.len() == 1 { "it" } else { "them" };
        Some(format!("set {them} before you start steady, as in `export {first}=…`"))
    }
}

/// Whether all secrets that a suite needs are there.
pub fn check_environment(suite: &Suite, environment: &dyn Environment) -> Result<(), MissingEnvironment> {
    let needed = needed_environment(suite).into_iter();
    let names: Vec<_> = needed.filter(|name| environment.get(name).is_none()).map(str::to_owned).collect();
    if names.is_empty() { Ok(()) } else { Err(MissingEnvironment { names }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_from_the_future_is_told_apart_from_a_broken_one() {
        let future =
            parse(Path::new("s.json"), r#"{"version": 2, "tests": {"all": "different"}}"#).unwrap_err();
        assert_eq!(future.to_string(), "`s.json` has version 2, this steady reads version 1");
        let broken = parse(Path::new("s.json"), "{\"version\": 1,\n \"api\": 7}").unwrap_err();
        assert_eq!(broken.excerpt().map(|excerpt| excerpt.line_number), Some(2));
    }
}
