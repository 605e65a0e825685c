//! `[sut]`: the API that steady starts.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, de};
use steady_model::Secret;
use steady_process::ports_in;
use steady_sut::{Action, RequestLine, Reset, SutSpec};
use toml::Spanned;

use super::sections::parsed;
use crate::values::{ApiUrl, HumanDuration};

/// `[sut]`: how the API is started, known to be ready, reset and stopped.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SutConfig {
    /// The command that starts it.
    #[serde(deserialize_with = "command")]
    pub start: String,
    /// The request that it answers when it is ready.
    #[serde(default, deserialize_with = "parsed")]
    pub ready: Option<RequestLine>,
    /// How it is put back to its first state: a request, a command, or `restart`.
    #[serde(default, deserialize_with = "parsed")]
    pub reset: Option<Reset>,
    /// The request or command that ends it.
    #[serde(default, deserialize_with = "parsed")]
    pub stop: Option<Action>,
    /// Its environment variables.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The folder it runs in; the one `steady.toml` is in when absent.
    #[serde(default)]
    pub folder: PathBuf,
    /// How long it may take to be ready.
    pub timeout: Option<HumanDuration>,
    /// Where its data is.
    pub database: Option<DatabaseConfig>,
}

/// `[sut.database]`: the database that is put back at a reset.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatabaseConfig {
    /// `postgres://…`.
    #[serde(deserialize_with = "secret")]
    pub url: Secret,
}

impl SutConfig {
    /// The folder lies beside the configuration, wherever steady is started.
    pub(super) fn resolve_paths(&mut self, folder: &Path) {
        let joined = folder.join(&self.folder);
        // The empty path is no folder that a command could run in.
        self.folder = if joined.as_os_str().is_empty() { PathBuf::from(".") } else { joined };
    }

    /// The API as it is to be started, at this address.
    pub(super) fn spec(&self, url: Option<&ApiUrl>) -> SutSpec {
        let defaults = SutSpec::new(&self.start);
        SutSpec {
            url: url.map_or(defaults.url, |url| url.template().to_owned()),
            ready: self.ready.clone(),
            reset: self.reset.clone(),
            stop: self.stop.clone(),
            env: self.env.clone(),
            folder: self.folder.clone(),
            timeout: self.timeout.map_or(defaults.timeout, |timeout| timeout.0),
            database: self.database.as_ref().map(|database| database.url.clone()),
            ..SutSpec::new(&self.start)
        }
    }
}

fn command<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let command = String::deserialize(deserializer)?;
    if command.trim().is_empty() {
        return Err(de::Error::custom("the command that starts the API is empty"));
    }
    Ok(command)
}

fn secret<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Secret, D::Error> {
    String::deserialize(deserializer).map(Secret::new)
}

/// Where `{port}` stands under `[api]`.
pub(super) fn place_of_port(text: &str) -> Option<Range<usize>> {
    #[derive(Deserialize)]
    struct Places {
        api: BTreeMap<String, Spanned<String>>,
    }
    let places: Places = toml::from_str(text).ok()?;
    places.api.values().find(|value| ports_in(value.as_ref()) > 0).map(Spanned::span)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::config::{Config, ConfigError};
    use crate::error::UserError as _;

    use super::*;

    fn parse(text: &str) -> Result<Config, ConfigError> {
        Config::parse(Path::new("steady.toml"), text)
    }

    #[test]
    fn an_api_to_start_can_be_kept() {
        let mut config = parse(
            r#"
            [api]
            openapi = "http://127.0.0.1:{port}/openapi.json"
            [sut]
            start = "node api.js"
            ready = "GET /health"
            reset = "POST /__reset"
            stop = "./stop.sh"
            env = { PORT = "{port}" }
            folder = "server"
            timeout = "2m"
            database.url = "postgres://app:hunter2@127.0.0.1/shop"
            "#,
        )
        .unwrap();
        config.resolve_paths(Path::new("project"));
        assert!(!format!("{config:?}").contains("hunter2"));
        let spec = config.sut_spec().unwrap();
        assert_eq!((spec.start.as_str(), spec.url.as_str()), ("node api.js", "http://127.0.0.1:{port}"));
        assert_eq!(spec.ready.unwrap().to_string(), "GET /health");
        assert_eq!(spec.reset, Some("POST /__reset".parse().unwrap()));
        assert_eq!(spec.stop.unwrap().to_string(), "./stop.sh");
        assert_eq!(spec.env["PORT"], "{port}");
        assert_eq!(spec.folder, Path::new("project/server"));
        assert_eq!(spec.timeout, Duration::from_secs(120));
        assert_eq!(spec.database.unwrap().reveal(), "postgres://app:hunter2@127.0.0.1/shop");
    }

    #[test]
    fn an_api_to_start_needs_no_more_than_a_command() {
        let mut config =
            parse("[sut]\nstart = \"serve {port}\"\n[api]\nurl = \"http://[::1]:{port}/v1\"").unwrap();
        config.resolve_paths(Path::new(""));
        let spec = config.sut_spec().unwrap();
        assert_eq!((spec.url.as_str(), spec.folder.as_path()), ("http://[::1]:{port}/v1", Path::new(".")));
        assert_eq!((spec.timeout, spec.reset), (Duration::from_secs(60), None));
        assert!(parse("").unwrap().sut_spec().is_none());
    }

    #[test]
    fn mistakes_are_shown_where_they_are() {
        let cases = [
            ("[sut]\nstrat = \"a\"", 2, "strat", Some("did you mean `start`?")),
            ("[sut]\nstart = \"a\"\nready = \"/health\"", 3, "\"/health\"", None),
            ("[sut]\nstart = \"a\"\nreset = \"POST __reset\"", 3, "\"POST __reset\"", None),
            ("[sut]\nstart = \"a\"\ntimeout = 60", 3, "60", None),
            ("[sut]\nstart = \" \"", 2, "\" \"", None),
            ("[sut]\nstart = \"a\"\nenv = { PORT = 80 }", 3, "80", None),
            ("[sut]\nstart = \"a\"\n[sut.database]\nulr = \"b\"", 4, "ulr", Some("did you mean `url`?")),
            (
                "[sut]\nready = \"GET /\"",
                1,
                "[sut]",
                Some("add `start = \"…\"`, the command that starts the API, with `{port}` for its port"),
            ),
            (
                "[api]\nurl = \"http://127.0.0.1:{port}\"",
                2,
                "\"http://127.0.0.1:{port}\"",
                Some("add [sut] with `start = \"…\"`, or write the port the API listens on"),
            ),
            ("[api]\nurl = \"http://127.0.0.1:{port}/{x}\"", 2, "\"http://127.0.0.1:{port}/{x}\"", None),
        ];
        for (text, line, marked, hint) in cases {
            let error = parse(text).unwrap_err();
            let excerpt = error.excerpt().unwrap_or_else(|| panic!("no excerpt for {text}"));
            assert_eq!((excerpt.line_number, &excerpt.line[excerpt.span.clone()]), (line, marked), "{text}");
            assert_eq!(error.hint().as_deref(), hint, "{text}");
        }
    }
}
