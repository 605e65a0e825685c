//! `steady fuzz`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;
use steady_emit::Emitter;
use steady_http::BaseUrl;
use steady_model::shard::Selection;

use crate::auth::HeaderArgument;
use crate::cli::EXIT_CODES;
use crate::connection::ConnectionArgs;
use crate::env_vars;
use crate::filter::OperationPattern;
use crate::flaky::FlakyArgs;
use crate::values::{DocumentSource, HumanDuration, Rate, count, one_of};

/// `steady fuzz`.
#[derive(Debug, Clone, Default, Args)]
#[command(after_help = format!("\
Examples:
  steady fuzz --openapi openapi.json --url http://127.0.0.1:8080
  steady fuzz --openapi http://127.0.0.1:8080/openapi.json --time 5m --emit pytest,jest
  steady fuzz --openapi api.yaml --url https://staging.test --auth auth.yaml --rate 50/s
  steady fuzz --openapi api.yaml --exclude 'DELETE *' -H 'Authorization: Bearer …' --seed 7

{EXIT_CODES}"))]
pub struct FuzzArgs {
    /// The API's OpenAPI document (2.0, 3.0 or 3.1; JSON or YAML)
    #[arg(long, value_name = "FILE|URL", env = env_vars::STEADY_OPENAPI, hide_env_values = true, help_heading = "API")]
    pub openapi: Option<DocumentSource>,
    /// Follow `$ref`s to other hosts and to files outside the document's folder
    #[arg(long, help_heading = "API")]
    pub allow_refs: bool,
    /// Base URL of the API, for all operations [default: the document's servers]
    #[arg(long, value_name = "BASE", env = env_vars::STEADY_URL, hide_env_values = true, help_heading = "API")]
    pub url: Option<BaseUrl>,
    /// Call only these operations; repeatable (`GET /orders/*`, `/orders*`, `tag:shop`, an operationId)
    #[arg(long, value_name = "PATTERN", help_heading = "API")]
    pub include: Vec<OperationPattern>,
    /// Do not call these operations; repeatable
    #[arg(long, value_name = "PATTERN", help_heading = "API")]
    pub exclude: Vec<OperationPattern>,

    /// Time limit for the search and the re-check of what it found (90s, 2m, 1h) [default: 60s, or no limit when --requests is given]
    #[arg(long, value_name = "TIME", help_heading = "Budget")]
    pub time: Option<HumanDuration>,
    /// Time limit for flakiness detection, which follows [default: as long as --time]
    #[arg(long, value_name = "TIME", help_heading = "Budget")]
    pub detect_time: Option<HumanDuration>,
    /// Request limit for the search
    #[arg(long, value_name = "N", help_heading = "Budget", value_parser = count::<NonZeroU64>)]
    pub requests: Option<NonZeroU64>,
    /// Rate limit for requests (50/s, 300/m)
    #[arg(long, value_name = "N/s", help_heading = "Budget")]
    pub rate: Option<Rate>,
    /// Number of concurrent connections [default: 1; with more, a seed does not repeat a run exactly]
    #[arg(long, value_name = "N", help_heading = "Budget", value_parser = count::<NonZeroUsize>)]
    pub workers: Option<NonZeroUsize>,
    /// Run shard K of N (from 1), or `auto` in CI: each shard has its own seed and focuses on its share of the operations
    #[arg(long, value_name = "K/N", help_heading = "Budget")]
    pub shard: Option<Selection>,

    /// How flaky assertions are found and handled.
    #[command(flatten)]
    pub flaky: FlakyArgs,

    /// Emit the suite as test code in these formats, comma-separated [default: pytest]
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = one_of(Emitter::ALL, Emitter::as_str), help_heading = "Output")]
    pub emit: Vec<Emitter>,

    /// Write the findings as SARIF, for code hosts
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub sarif: Option<PathBuf>,

    /// Send this header with every request; repeatable
    #[arg(long, short = 'H', value_name = "NAME: VALUE", help_heading = "Authentication")]
    pub header: Vec<HeaderArgument>,
    /// Authenticate as described in this file (Web Fuzzing Commons format; YAML, JSON or TOML)
    #[arg(long, value_name = "FILE", help_heading = "Authentication")]
    pub auth: Option<PathBuf>,

    /// How the client connects to the API.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}
