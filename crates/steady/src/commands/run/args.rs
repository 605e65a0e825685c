//! `steady run`.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;

use steady_http::BaseUrl;

use crate::cli::EXIT_CODES;
use crate::connection::ConnectionArgs;
use crate::env_vars;
use crate::values::count;

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
    /// Base URL of the API [default: the one the suite was made with]
    #[arg(long, value_name = "BASE", env = env_vars::STEADY_URL, hide_env_values = true)]
    pub url: Option<BaseUrl>,
    /// Run every test this many times
    #[arg(long, value_name = "N", default_value = "1", value_parser = count::<NonZeroU32>)]
    pub repeat: NonZeroU32,
    /// Run the tests in a different order each time
    #[arg(long)]
    pub shuffle: bool,
    /// Number of concurrent tests
    #[arg(long, value_name = "N", default_value = "1", value_parser = count::<NonZeroUsize>)]
    pub workers: NonZeroUsize,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// How the client connects to the API.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}
