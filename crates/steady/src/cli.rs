//! The command line: what can be asked for, and the help.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use steady_emit::Emitter;
use steady_http::BaseUrl;

use crate::auth::HeaderArgument;
use crate::env_vars;
use crate::filter::OperationPattern;
use crate::values::{ByteSize, DocumentSource, Rate, Span};

const EXIT_CODES: &str = "\
Exit codes:
  0  nothing to report
  1  findings: faults, or failed tests
  2  the job could not be done";

/// Web tests that tell the truth: same code, same result.
#[derive(Debug, Parser)]
#[command(
    name = "steady",
    version,
    after_help = format!("\
Examples:
  steady demo                                          the whole story on an embedded sample
  steady fuzz --openapi openapi.json --url http://127.0.0.1:8080
  steady run steady-out/suite.json --repeat 10 --shuffle

{EXIT_CODES}"),
    disable_help_subcommand = true,
    max_term_width = 110
)]
pub struct Cli {
    /// Options every command has.
    #[command(flatten)]
    pub shared: SharedArgs,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show the whole story on an embedded sample API, offline
    Demo(DemoArgs),
    /// Turn a running REST API into a regression suite and a list of its faults
    Fuzz(Box<FuzzArgs>),
    /// Run a suite that steady wrote
    Run(RunArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
}

/// Options every command has.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Shared options")]
pub struct SharedArgs {
    /// Read options from this file [default: steady.toml, if there is one]
    #[arg(long, global = true, value_name = "FILE", env = env_vars::STEADY_CONFIG, hide_env_values = true)]
    pub config: Option<PathBuf>,
    /// Write files into this folder
    #[arg(long, global = true, value_name = "DIR", default_value = "steady-out", env = env_vars::STEADY_OUT, hide_env_values = true)]
    pub out: PathBuf,
    /// Print for people (human), or one event per line (json)
    #[arg(
        long,
        global = true,
        value_name = "FORMAT",
        value_enum,
        default_value_t,
        hide_possible_values = true
    )]
    pub format: Format,
    /// Decide everything random; the same seed on the same API gives the same run
    #[arg(long, global = true, value_name = "N", env = env_vars::STEADY_SEED, hide_env_values = true)]
    pub seed: Option<u64>,
    /// Use colour: auto, always or never; auto respects NO_COLOR
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        hide_possible_values = true
    )]
    pub color: ColorChoice,
    /// Print only failures, faults and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print more
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// What stdout is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text that may change between versions
    #[default]
    Human,
    /// One JSON event per line; versioned
    Json,
}

/// When output is coloured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// `steady demo`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  steady demo                    fuzz the sample shop, write the suite, run it again
  steady demo --time 20s")]
pub struct DemoArgs {
    /// Fuzz the sample for this long
    #[arg(long, value_name = "TIME", default_value = "6s")]
    pub time: Span,
}

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
    /// Where the API runs, for all operations [default: the document's servers]
    #[arg(long, value_name = "BASE", env = env_vars::STEADY_URL, hide_env_values = true, help_heading = "API")]
    pub url: Option<BaseUrl>,
    /// Call only these operations; repeatable (`GET /orders/*`, `/orders*`, `tag:shop`, an operationId)
    #[arg(long, value_name = "PATTERN", help_heading = "API")]
    pub include: Vec<OperationPattern>,
    /// Do not call these operations; repeatable
    #[arg(long, value_name = "PATTERN", help_heading = "API")]
    pub exclude: Vec<OperationPattern>,

    /// Search for this long (90s, 2m, 1h) [default: 60s, or no limit when --requests is given]
    #[arg(long, value_name = "TIME", help_heading = "Budget")]
    pub time: Option<Span>,
    /// Search with at most this many requests
    #[arg(long, value_name = "N", help_heading = "Budget")]
    pub requests: Option<NonZeroU64>,
    /// Send at most this many requests (50/s, 300/m)
    #[arg(long, value_name = "N/s", help_heading = "Budget")]
    pub rate: Option<Rate>,
    /// Send requests over this many connections at a time [default: 1, which makes a seed repeatable]
    #[arg(long, value_name = "N", help_heading = "Budget")]
    pub workers: Option<NonZeroUsize>,

    /// Write the suite as test code of these kinds, separated by commas [default: pytest]
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = emitter_parser(), help_heading = "Output")]
    pub emit: Vec<Emitter>,

    /// Send this header with every request; repeatable
    #[arg(long, short = 'H', value_name = "NAME: VALUE", help_heading = "Authentication")]
    pub header: Vec<HeaderArgument>,
    /// Authenticate as described in this file (Web Fuzzing Commons format; YAML, JSON or TOML)
    #[arg(long, value_name = "FILE", help_heading = "Authentication")]
    pub auth: Option<PathBuf>,

    /// How the API is talked to.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}

/// How an API is talked to.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Connection")]
pub struct ConnectionArgs {
    /// Give up on an answer after this long [default: 30s]
    #[arg(long, value_name = "TIME")]
    pub timeout: Option<Span>,
    /// Accept any certificate, self-signed ones included
    #[arg(long, action = ArgAction::SetTrue)]
    pub insecure: bool,
    /// Speak only HTTP/1.1
    #[arg(long, conflicts_with = "http2")]
    pub http1: bool,
    /// Speak only HTTP/2
    #[arg(long)]
    pub http2: bool,
    /// Keep at most this much of an answer [default: 4MB]
    #[arg(long, value_name = "SIZE")]
    pub max_body: Option<ByteSize>,
}

/// `steady run`.
#[derive(Debug, Clone, Args)]
#[command(after_help = format!("\
Examples:
  steady run steady-out/suite.json
  steady run steady-out/suite.json --url http://127.0.0.1:9090 --junit results.xml
  steady run steady-out/suite.json --repeat 100 --shuffle --seed 7

{EXIT_CODES}"))]
pub struct RunArgs {
    /// The suite: a suite.json, or the folder it is in
    #[arg(value_name = "SUITE")]
    pub suite: PathBuf,
    /// Where the API runs [default: where it ran when the suite was made]
    #[arg(long, value_name = "BASE", env = env_vars::STEADY_URL, hide_env_values = true)]
    pub url: Option<BaseUrl>,
    /// Run every test this often
    #[arg(long, value_name = "N", default_value = "1")]
    pub repeat: NonZeroU32,
    /// Run the tests in another order in every round
    #[arg(long)]
    pub shuffle: bool,
    /// Run this many tests at a time
    #[arg(long, value_name = "N", default_value = "1")]
    pub workers: NonZeroUsize,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// How the API is talked to.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}

/// `steady completions`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  steady completions bash > /etc/bash_completion.d/steady
  steady completions fish > ~/.config/fish/completions/steady.fish")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: Shell,
}

fn emitter_parser() -> impl TypedValueParser<Value = Emitter> {
    PossibleValuesParser::new(Emitter::ALL.map(Emitter::as_str)).try_map(|name| name.parse::<Emitter>())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
