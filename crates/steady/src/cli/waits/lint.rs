//! `steady waits lint`.

use std::path::PathBuf;

use clap::Args;

use super::super::EXIT_CODES;
use super::tune::HistoryChoice;

/// `steady waits lint`.
#[derive(Debug, Clone, Args)]
#[command(after_help = format!("\
Examples:
  steady waits lint                                    the tests below this folder
  steady waits lint e2e src/cart.test.ts -q            only what is wrong
  steady waits lint --sarif waits.sarif                for code hosts

A line is left alone with `// steady-ignore` on it or `// steady-ignore-next-line fixed-sleep -- why` above it, a file
with `/* steady-ignore-file */`.

{EXIT_CODES}"))]
pub struct LintArgs {
    /// Test files, or folders of them [default: this folder]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Do not complain of this: fixed-sleep, long-timeout, zero-wait, unawaited-wait, limit-below-waits; repeatable
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub allow: Vec<String>,
    /// Measure long time limits by what their lines had before: on or off [default: on]
    #[arg(long, value_name = "WHETHER", value_enum, hide_possible_values = true)]
    pub history: Option<HistoryChoice>,
    /// Write the complaints as SARIF, for code hosts
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
}
