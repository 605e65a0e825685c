//! What `steady fuzz` does.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use steady_emit::Emitter;
use steady_http::{BaseUrl, ClientOptions, HttpVersion};
use steady_shard::Shard;
use steady_sut::SutSpec;

use crate::auth::{self, Accounts, AuthError};
use crate::cli::{ConnectionArgs, FuzzArgs, SharedArgs};
use crate::config::{AuthConfig, Config, FuzzConfig};
use crate::error::{CommandError, UsageError};
use crate::filter::OperationFilter;
use crate::options::{FlakyOptions, SharedOptions, or_list};
use crate::values::{ApiUrl, DocumentSource, Rate};

const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// When the search ends: at whichever limit is met first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// After this long.
    pub time: Option<Duration>,
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
    /// How flaky assertions are found and what becomes of them.
    pub flaky: FlakyOptions,
    /// What the suite is written as.
    pub emit: Vec<Emitter>,
    /// Where findings go as SARIF.
    pub sarif: Option<PathBuf>,
    /// Who calls are made as.
    pub accounts: Accounts,
    /// How the API is talked to.
    pub client: ClientOptions,
}

impl FuzzOptions {
    /// Reads `steady.toml`, and lets the environment and flags have the last word.
    pub fn resolve(shared: &SharedArgs, args: FuzzArgs) -> Result<Self, CommandError> {
        let config = Config::load(shared.config.as_deref())?;
        let openapi = args.openapi.or(config.api.openapi.clone()).ok_or_else(|| UsageError {
            message: "no OpenAPI document is given".to_owned(),
            hint: "add `--openapi FILE|URL`, or `openapi = \"…\"` under [api] in steady.toml".to_owned(),
        })?;
        let sut = if args.url.is_some() { None } else { config.sut_spec() };
        let mut accounts = accounts(args.auth, config.auth, config.auth_template.as_ref())?;
        let fuzz = config.fuzz;
        accounts.add_headers(&or_list(args.header, &fuzz.header));
        let client = client_options(&args.connection, &fuzz);
        let requests = args.requests.or(fuzz.requests);
        let time = args.time.or(fuzz.time).map(|span| span.0);
        let shard = args.shard.map(|choice| choice.settle(&|name| std::env::var(name).ok())).transpose()?;
        Ok(Self {
            shared: SharedOptions::from_args(shared),
            openapi,
            sut,
            url: args.url.or_else(|| config.api.url.as_ref().and_then(ApiUrl::fixed)),
            filter: OperationFilter {
                include: or_list(args.include, &fuzz.include),
                exclude: or_list(args.exclude, &fuzz.exclude),
            },
            budget: Budget { time: time.or_else(|| requests.is_none().then_some(DEFAULT_TIME)), requests },
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

/// How the API is talked to when only flags decide.
pub fn client_options_of_flags(args: &ConnectionArgs) -> ClientOptions {
    client_options(args, &FuzzConfig::default())
}

fn client_options(args: &ConnectionArgs, config: &FuzzConfig) -> ClientOptions {
    let defaults = ClientOptions::default();
    let version = match (args.http1, args.http2) {
        (true, _) => HttpVersion::Http1,
        (_, true) => HttpVersion::Http2,
        _ if config.http1 => HttpVersion::Http1,
        _ if config.http2 => HttpVersion::Http2,
        _ => HttpVersion::Auto,
    };
    ClientOptions {
        timeout: args.timeout.or(config.timeout).map_or(defaults.timeout, |span| span.0),
        max_body: args.max_body.or(config.max_body).map_or(defaults.max_body, |size| size.0),
        insecure: args.insecure || config.insecure,
        version,
        ..defaults
    }
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
