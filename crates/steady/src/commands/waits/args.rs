//! `steady waits`.

use clap::{Args, Subcommand};

use super::lint::LintArgs;
use super::tune::TuneArgs;
use crate::cli::EXIT_CODES;

/// `steady waits`.
#[derive(Debug, Clone, Args)]
#[command(after_help = format!("\
Examples:
  steady waits lint                                    every wait of the tests here, and what is wrong with it
  steady waits tune e2e/cart.spec.ts:41                which value that line should have, from code and history
  steady waits tune e2e/cart.spec.ts:41 --write -- npx playwright test
  steady waits tune --shrink e2e -- npx playwright test    which waits can be shorter, and the time that saves

{EXIT_CODES}"))]
pub struct WaitsArgs {
    /// What to do about waits.
    #[command(subcommand)]
    pub command: WaitsCommand,
}

/// What to do about waits.
#[derive(Debug, Clone, Subcommand)]
pub enum WaitsCommand {
    /// List every wait, its kind, its value and what is wrong with it
    Lint(LintArgs),
    /// Find the right time for a wait: from similar code and history, then by running the test
    Tune(Box<TuneArgs>),
}
