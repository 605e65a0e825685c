//! What `steady fuzz` does.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use steady_emit::Emitter;
use steady_http::{BaseUrl, ClientOptions};
use steady_model::shard::Shard;
use steady_sut::SutSpec;

use super::FuzzArgs;
use crate::auth::{self, Accounts, AuthError};
use crate::config::{AuthConfig, Config};
use crate::error::{CommandError, UsageError};
use crate::filter::OperationFilter;
use crate::flaky::FlakyOptions;
use crate::options::{SharedOptions, or_list};
use crate::values::{ApiUrl, DocumentSource, Rate};

const DEFAULT_TIME: Duration = Duration::from_secs(60);
/// What an answer may take however short the run is.
const LEAST_TIMEOUT: Duration = Duration::from_secs(1);

/// When a run ends: the search at whichever limit is met first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// After this long, the re-check included.
    pub time: Option<Duration>,
    /// Looking for flaky values, after this long; as long as the time when absent.
    pub detect_time: Option<Duration>,
    /// After this many requests.
    pub requests: Option<NonZeroU64>,
}

/// What `steady fuzz` does.
#[derive(Debug, Clone)]
pub struct FuzzOptions {
    /// Options every command has.
    pub shared: SharedOptions,
    /// The API's OpenAPI document.
    pub openapi: DocumentSource,
    /// Whether its references may lead anywhere.
    pub allow_refs: bool,
    /// The API that steady starts, unless one that runs is named.
    pub sut: Option<SutSpec>,
    /// Where the API runs; the document's first server when absent.
    pub url: Option<BaseUrl>,
    /// Which operations are called.
    pub filter: OperationFilter,
    /// When the search ends.
    pub budget: Budget,
    /// How fast requests are sent at most.
    pub rate: Option<Rate>,
    /// How many connections send at a time.
    pub workers: NonZeroUsize,
    /// Which of several machines this is.
    pub shard: Shard,
    /// How flaky assertions are found and handled.
    pub flaky: FlakyOptions,
    /// What the suite is written as.
    pub emit: Vec<Emitter>,
    /// Where findings go as SARIF.
    pub sarif: Option<PathBuf>,
    /// Who calls are made as.
    pub accounts: Accounts,
    /// How the client connects to the API.
    pub client: ClientOptions,
}

impl FuzzOptions {
    /// Reads `steady.toml`, and lets the environment and flags have the last word.
    pub fn resolve(shared: &SharedOptions, args: FuzzArgs) -> Result<Self, CommandError> {
        let config = Config::load(shared.config.as_deref())?;
        let openapi = args.openapi.or(config.api.openapi.clone()).ok_or_else(|| UsageError {
            message: "no OpenAPI document is given".to_owned(),
            hint: "add `--openapi FILE|URL`, or `openapi = \"…\"` under [api] in steady.toml".to_owned(),
        })?;
        let sut = if args.url.is_some() { None } else { config.sut_spec() };
        let mut accounts = accounts(args.auth, config.auth, config.auth_template.as_ref())?;
        let fuzz = config.fuzz;
        accounts.add_headers(&or_list(args.header, &fuzz.header));
        let mut client = args.connection.client_options(&fuzz);
        let requests = args.requests.or(fuzz.requests);
        let time = args.time.or(fuzz.time).map(|span| span.0);
        if args.connection.timeout.or(fuzz.timeout).is_none() {
            client.timeout = default_timeout(client.timeout, time);
        }
        let shard = args.shard.map(|choice| choice.resolve(&|name| std::env::var(name).ok())).transpose()?;
        Ok(Self {
            shared: shared.clone(),
            openapi,
            allow_refs: args.allow_refs || fuzz.allow_refs,
            sut,
            url: args.url.or_else(|| config.api.url.as_ref().and_then(ApiUrl::fixed)),
            filter: OperationFilter {
                include: or_list(args.include, &fuzz.include),
                exclude: or_list(args.exclude, &fuzz.exclude),
            },
            budget: Budget {
                time: time.or_else(|| requests.is_none().then_some(DEFAULT_TIME)),
                detect_time: args.detect_time.or(fuzz.detect_time).map(|span| span.0),
                requests,
            },
            rate: args.rate.or(fuzz.rate),
            workers: args.workers.or(fuzz.workers).unwrap_or(NonZeroUsize::MIN),
            shard: shard.unwrap_or(Shard::WHOLE),
            flaky: FlakyOptions::resolve(&args.flaky, &config.flaky),
            emit: emitters(or_list(args.emit, &fuzz.emit)),
            sarif: args.sarif,
            accounts,
            client,
        })
    }
}

/// One operation that never answers must not use up a short run: the others get their turn.
fn default_timeout(usual: Duration, time: Option<Duration>) -> Duration {
    time.map_or(usual, |time| usual.min((time / 4).max(LEAST_TIMEOUT)))
}

fn accounts(
    flag: Option<PathBuf>,
    config: Option<AuthConfig>,
    template: Option<&auth::wfc::AuthenticationInfo>,
) -> Result<Accounts, AuthError> {
    match (flag, config) {
        (Some(path), _) | (None, Some(AuthConfig::File(path))) => auth::load_file(&path),
        (None, Some(AuthConfig::Inline(users))) => Accounts::of_users(users, template).map_err(|source| {
            AuthError::Incomplete { origin: crate::config::DEFAULT_FILE.to_owned(), source }
        }),
        (None, None) => Ok(Accounts::default()),
    }
}

/// The kinds of test code asked for, each once; pytest when none is.
pub fn emitters(asked: Vec<Emitter>) -> Vec<Emitter> {
    let mut distinct = Vec::with_capacity(asked.len());
    for emitter in asked {
        if !distinct.contains(&emitter) {
            distinct.push(emitter);
        }
    }
    if distinct.is_empty() { vec![Emitter::Pytest] } else { distinct }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_may_take_a_quarter_of_the_run() {
        let (usual, seconds) = (Duration::from_secs(30), Duration::from_secs);
        assert_eq!(default_timeout(usual, None), usual);
        assert_eq!(default_timeout(usual, Some(seconds(3600))), usual);
        assert_eq!(default_timeout(usual, Some(seconds(20))), seconds(5));
        assert_eq!(default_timeout(usual, Some(seconds(2))), seconds(1));
    }
}
