//! `steady.toml`: options a project keeps.
//!
//! ```toml
//! [api]
//! openapi = "openapi.json"          # relative to this file, or an address
//! url = "http://127.0.0.1:8080"     # with [sut]: http://127.0.0.1:{port} when absent
//!
//! [sut]                             # an API that steady starts; {port} stands for its port in every value
//! start = "java -jar app.jar --server.port={port}"
//! ready = "GET /health"             # when this is answered, below 500 [default: any answer to GET /]
//! reset = "POST /__reset"           # or a command, or "restart" [default, without a database]
//! stop = "POST /shutdown"           # or a command; what still runs is ended by signals
//! env = { PROFILE = "test" }
//! folder = "server"                 # relative to this file
//! timeout = "2m"                    # to be ready, and for a reset [default: 60s]
//! database.url = "postgres://app:app@127.0.0.1/shop"   # its tables are put back at a reset
//!
//! [auth]
//! file = "auth.yaml"                # or [[auth]] and [authTemplate], the Web Fuzzing Commons format inline
//!
//! [fuzz]                            # the options of `steady fuzz`, same names
//! time = "5m"
//! detect-time = "2m"
//! emit = ["pytest", "jest"]
//!
//! [rerun]                           # the options of `steady rerun`, same names
//! runs = 20
//!
//! [waits]                           # the options of `steady waits`, same names
//! runs = 50
//! allow = ["zero-wait"]
//!
//! [store]
//! url = "postgres://ci@db.example/tests"   # or a file [default: .steady/steady.db]
//! keep = "90d"
//! ```
//!
//! The environment beats the file, and flags beat both.

mod auth;
mod sections;
mod sut;

use std::fs;
use std::path::Path;

use serde::Deserialize;
use steady_sut::SutSpec;

use crate::auth::wfc;
use crate::error::{ReadError, UserError};
use crate::excerpt::Excerpt;
use crate::values::DocumentSource;
use crate::{malformed, suggest};

pub use auth::AuthConfig;
pub use sections::{ApiConfig, FlakyConfig, FuzzConfig, RerunConfig, StoreConfig, WaitsConfig};
pub use sut::SutConfig;

/// The file that is read when no other is named.
pub const DEFAULT_FILE: &str = "steady.toml";

/// The contents of `steady.toml`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The API under test.
    pub api: ApiConfig,
    /// The API that steady starts.
    pub sut: Option<SutConfig>,
    /// Who calls are made as.
    pub auth: Option<AuthConfig>,
    /// What the users under `[[auth]]` share.
    #[serde(rename = "authTemplate")]
    pub auth_template: Option<wfc::AuthenticationInfo>,
    /// Options of `steady fuzz`.
    pub fuzz: FuzzConfig,
    /// How flaky assertions are found and handled.
    pub flaky: FlakyConfig,
    /// Options of `steady rerun`.
    pub rerun: RerunConfig,
    /// Options of `steady waits`.
    pub waits: WaitsConfig,
    /// Where runs are remembered.
    pub store: StoreConfig,
}

/// `steady.toml` cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It cannot be read.
    #[error(transparent)]
    Read(ReadError),
    /// It is not what it should be.
    #[error("{message}")]
    Malformed {
        /// What is wrong.
        message: String,
        /// Where.
        excerpt: Option<Box<Excerpt>>,
    },
    /// `{port}` stands under `[api]`, and steady starts no API that would have one.
    #[error("`{{port}}` stands for the port of an API that steady starts, but there is no [sut]")]
    PortWithoutSut {
        /// Where.
        excerpt: Option<Box<Excerpt>>,
    },
}

impl UserError for ConfigError {
    fn excerpt(&self) -> Option<&Excerpt> {
        match self {
            Self::Read(error) => error.excerpt(),
            Self::Malformed { excerpt, .. } | Self::PortWithoutSut { excerpt } => excerpt.as_deref(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Read(error) => error.hint(),
            Self::Malformed { message, .. } if message == "missing field `start`" => Some(
                "add `start = \"…\"`, the command that starts the API, with `{port}` for its port".to_owned(),
            ),
            Self::Malformed { message, .. } => suggest::hint_for(message),
            Self::PortWithoutSut { .. } => {
                Some("add [sut] with `start = \"…\"`, or write the port the API listens on".to_owned())
            }
        }
    }
}

impl Config {
    /// Reads the named file; without a name `steady.toml`, if there is one.
    pub fn load(named: Option<&Path>) -> Result<Self, ConfigError> {
        let path = match named {
            Some(path) => path,
            None if Path::new(DEFAULT_FILE).exists() => Path::new(DEFAULT_FILE),
            None => return Ok(Self::default()),
        };
        let text = fs::read_to_string(path).map_err(|source| {
            ConfigError::Read(ReadError { what: "the configuration", path: path.to_owned(), source })
        })?;
        let mut config = Self::parse(path, &text)?;
        config.resolve_paths(path.parent().unwrap_or(Path::new("")));
        Ok(config)
    }

    fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let config: Self = toml::from_str(text).map_err(|error| ConfigError::Malformed {
            message: malformed::plain(error.message(), malformed::TABLE),
            excerpt: error
                .span()
                .map(|span| Box::new(Excerpt::of_span(path, text, span, malformed::label(error.message())))),
        })?;
        if config.sut.is_none() && config.api.needs_port() {
            let span = sut::place_of_port(text);
            let excerpt = span.map(|span| Box::new(Excerpt::of_span(path, text, span, "which port?")));
            return Err(ConfigError::PortWithoutSut { excerpt });
        }
        Ok(config)
    }

    /// The API that steady starts, if there is one.
    pub fn sut_spec(&self) -> Option<SutSpec> {
        Some(self.sut.as_ref()?.spec(self.api.url.as_ref()))
    }

    /// Files named in the configuration lie beside it, wherever steady is started.
    fn resolve_paths(&mut self, folder: &Path) {
        if let Some(DocumentSource::File(path)) = &mut self.api.openapi {
            *path = folder.join(&path);
        }
        if let Some(AuthConfig::File(path)) = &mut self.auth {
            *path = folder.join(&path);
        }
        if let Some(sut) = &mut self.sut {
            sut.resolve_paths(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;
    use std::time::Duration;

    use steady_emit::Emitter;

    use super::*;
    use crate::values::{Age, ByteSize, HumanDuration, Probability};

    fn parse(text: &str) -> Result<Config, ConfigError> {
        Config::parse(Path::new("steady.toml"), text)
    }

    #[test]
    fn every_option_of_fuzz_can_be_kept() {
        let config = parse(
            r#"
            [api]
            openapi = "openapi.json"
            url = "http://127.0.0.1:8080"
            [fuzz]
            time = "5m"
            requests = 100
            emit = ["pytest", "jest"]
            header = ["X-Tenant: a"]
            include = ["/orders*"]
            exclude = ["DELETE *"]
            rate = "50/s"
            workers = 2
            timeout = "5s"
            insecure = true
            http1 = true
            max-body = "1MB"
            "#,
        )
        .unwrap();
        assert_eq!(config.fuzz.time, Some(HumanDuration(Duration::from_secs(300))));
        assert_eq!(config.fuzz.emit, [Emitter::Pytest, Emitter::Jest]);
        assert_eq!(config.fuzz.max_body, Some(ByteSize(1 << 20)));
        assert_eq!(config.api.url.unwrap().fixed().unwrap().to_string(), "http://127.0.0.1:8080");
    }

    #[test]
    fn reruns_and_the_store_can_be_kept() {
        let config = parse(
            r#"
            [rerun]
            runs = 20
            until-stable = true
            confidence = 0.95
            perturb = "tz,clock"
            env = { PORT = "{port}" }
            results = ["build/*.xml"]
            [store]
            url = "runs.db"
            keep = "90d"
            max-size = "1GB"
            "#,
        )
        .unwrap();
        assert_eq!(config.rerun.runs.map(NonZeroU32::get), Some(20));
        assert_eq!(config.rerun.confidence, Some(Probability(0.95)));
        assert_eq!(config.store.keep, Some(Age(Duration::from_secs(90 * 86_400))));
    }

    #[test]
    fn users_stand_inline_or_in_a_file() {
        let file = parse("[auth]\nfile = \"auth.yaml\"").unwrap();
        assert!(matches!(file.auth, Some(AuthConfig::File(path)) if path == Path::new("auth.yaml")));
        let inline = parse("[[auth]]\nname = \"alice\"\n[[auth]]\nname = \"bob\"").unwrap();
        assert!(matches!(inline.auth, Some(AuthConfig::Inline(users)) if users.len() == 2));
    }

    #[test]
    fn mistakes_are_shown_where_they_are() {
        let cases = [
            ("[fuzz]\ntiem = \"60s\"", 2, "tiem", Some("did you mean `time`?")),
            ("[fuzz]\nworkers = \"two\"", 2, "\"two\"", None),
            ("[fuzz]\ntime = \"60\"", 2, "\"60\"", None),
            ("[api]\nurl = \"localhost:8080\"", 2, "\"localhost:8080\"", None),
            ("[fuz]\n", 1, "fuz", Some("did you mean `fuzz`?")),
            ("[fuzz\n", 1, "", None),
            ("[auth]\nfiel = \"a\"", 2, "fiel", Some("did you mean `file`?")),
        ];
        for (text, line, marked, hint) in cases {
            let error = parse(text).unwrap_err();
            let excerpt = error.excerpt().unwrap_or_else(|| panic!("no excerpt for {text}"));
            assert_eq!((excerpt.line_number, &excerpt.line[excerpt.span.clone()]), (line, marked), "{text}");
            assert_eq!(error.hint().as_deref(), hint, "{text}");
        }
    }
}
