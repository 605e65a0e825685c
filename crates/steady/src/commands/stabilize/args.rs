//! `steady stabilize`.

use std::path::PathBuf;

use clap::Args;
use steady_http::BaseUrl;

use crate::cli::EXIT_CODES;
use crate::connection::ConnectionArgs;
use crate::env_vars;
use crate::flaky::FlakyArgs;
use crate::values::{HumanDuration, variable};

/// `steady stabilize`.
#[derive(Debug, Clone, Args)]
#[command(after_help = format!("\
Examples:
  steady stabilize steady-out/suite.json               what is flaky, and the diff that would fix it
  steady stabilize steady-out/suite.json --write
  steady stabilize tests --write -- pytest tests       test code in Python (requests)
  steady stabilize src/test --dry-run -- mvn test      in Java and Kotlin (RestAssured)
  steady stabilize tests -- npx jest                   in JavaScript and TypeScript (fetch, SuperAgent)

With [sut] in steady.toml the API is also restarted, with another clock, language and folder for temporary files.

{EXIT_CODES}"))]
pub struct StabilizeArgs {
    /// A suite.json, or a file or folder of test code
    #[arg(value_name = "PATH")]
    pub path: PathBuf,
    /// Only show the diff; the default
    #[arg(long, conflicts_with = "write")]
    pub dry_run: bool,
    /// Change the files
    #[arg(long)]
    pub write: bool,
    /// Base URL of the API [default: the one the suite was made with]; test code reads it from STEADY_URL
    #[arg(long, value_name = "BASE", env = env_vars::STEADY_URL, hide_env_values = true)]
    pub url: Option<BaseUrl>,
    /// Write the findings as SARIF, for code hosts
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Time limit for one run of the test command [default: 10m]
    #[arg(long, value_name = "TIME")]
    pub test_timeout: Option<HumanDuration>,
    /// Set this environment variable for the test command; repeatable; `{port}` is the port of the API that steady starts
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub env: Vec<(String, String)>,
    /// How flaky assertions are found and handled.
    #[command(flatten)]
    pub flaky: FlakyArgs,
    /// How the client connects to the API.
    #[command(flatten)]
    pub connection: ConnectionArgs,
    /// The command that runs the tests, for test code
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<String>,
}
