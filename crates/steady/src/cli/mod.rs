//! The command line: what can be asked for, and the help.

mod refusal;
mod shared;

use clap::{Parser, Subcommand};

use crate::commands::completions::CompletionsArgs;
use crate::commands::demo::DemoArgs;
use crate::commands::fuzz::FuzzArgs;
use crate::commands::history::HistoryArgs;
use crate::commands::merge::MergeArgs;
use crate::commands::mock::MockArgs;
use crate::commands::rerun::RerunArgs;
use crate::commands::run::RunArgs;
use crate::commands::stabilize::StabilizeArgs;
use crate::commands::waits::WaitsArgs;

pub use refusal::without_secrets;
pub use shared::{Format, SharedArgs};

/// What the exit codes of every command mean.
pub const EXIT_CODES: &str = "\
Exit codes:
  0  nothing to report
  1  findings: faults, or tests that fail or are flaky
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
  steady rerun -- pytest                               which tests are flaky, how often, and why
  steady waits lint                                    every wait in JavaScript tests, and what is wrong with it

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
    /// Fuzz an embedded sample API, offline, and run the suite that comes out of it
    Demo(DemoArgs),
    /// Turn a running REST API into a regression suite and a list of its faults
    Fuzz(Box<FuzzArgs>),
    /// Run a suite that steady wrote
    Run(RunArgs),
    /// Find and fix flaky assertions in existing tests
    Stabilize(Box<StabilizeArgs>),
    /// Rerun any test command: which tests are flaky, how often, and why
    Rerun(Box<RerunArgs>),
    /// Mock services: serve, record and import WireMock mappings
    Mock(MockArgs),
    /// Lint and tune the waits of browser and front-end tests
    Waits(WaitsArgs),
    /// Show how often tests have failed over time
    History(HistoryArgs),
    /// Merge the results of shards
    Merge(MergeArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
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
