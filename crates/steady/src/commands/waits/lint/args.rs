//! `steady waits lint`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::EXIT_CODES;
use crate::values::{Switch, switch};

/// `steady waits lint`.
#[derive(Debug, Clone, Args)]
#[command(after_help = format!("\
Examples:
  steady waits lint                                    the tests below this folder
  steady waits lint e2e src/cart.test.ts -q            only what is wrong
  steady waits lint --sarif waits.sarif                for code hosts
  steady waits lint --baseline waits.json --create-baseline    accept all current findings
  steady waits lint --baseline waits.json              only what is new
  steady waits lint --fix                              the sleeps that can be deleted, as a diff

A line is ignored with `// steady-ignore` on it or `// steady-ignore-next-line fixed-sleep -- why` above it, a file with
`/* steady-ignore-file */`.

{EXIT_CODES}"))]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub struct LintArgs {
    /// Test files, or folders of them [default: this folder]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Ignore these rules: fixed-sleep, long-timeout, zero-wait, unawaited-wait, limit-below-waits; repeatable
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub allow: Vec<String>,
    /// Compare long time limits with earlier versions of their lines: on or off [default: on]
    #[arg(long, value_name = "WHETHER", value_parser = switch(), hide_possible_values = true)]
    pub history: Option<Switch>,
    /// Write the findings as SARIF, for code hosts
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Report only what this file does not list; lines may have moved since it was written
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write the baseline, with all current findings
    #[arg(long, requires = "baseline", conflicts_with = "fix")]
    pub create_baseline: bool,

    /// Delete the sleeps before lines that wait by themselves; shows the change unless --write is given
    #[arg(long, help_heading = "Fix")]
    pub fix: bool,
    /// Only show the diff; the default
    #[arg(long, requires = "fix", conflicts_with = "write", help_heading = "Fix")]
    pub dry_run: bool,
    /// Change the files
    #[arg(long, requires = "fix", help_heading = "Fix")]
    pub write: bool,
    /// Change files even if they have uncommitted changes
    #[arg(long, requires = "write", help_heading = "Fix")]
    pub allow_dirty: bool,
}
