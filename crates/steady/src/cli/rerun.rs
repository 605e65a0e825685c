//! `steady rerun`.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;
use steady_shard::Selection;

use super::EXIT_CODES;
use crate::values::{Perturbations, Probability, Span};

/// `steady rerun`.
#[derive(Debug, Clone, Args)]
#[command(after_help = format!("\
Examples:
  steady rerun -- pytest                               100 runs, then why the flaky tests are flaky
  steady rerun --until-stable -- npx jest              stop as soon as every test is decided
  steady rerun --perturb tz,clock,locale -- mvn test   which tests pass only here and now
  steady rerun --shuffle --runs 20 -- python -m pytest tests/
  steady rerun --jobs 4 --runs 40 -- ./check --port '{{port}}' --data 'data-{{job}}'
  steady rerun --results 'build/*.xml' -- make test

{EXIT_CODES}"))]
pub struct RerunArgs {
    /// The test command
    #[arg(value_name = "CMD", required = true, last = true)]
    pub command: Vec<String>,

    /// Run the command this often with nothing changed around it [default: 100]
    #[arg(long, value_name = "N", help_heading = "Budget")]
    pub runs: Option<NonZeroU32>,
    /// Stop as soon as the runs decide about every test
    #[arg(long, help_heading = "Budget")]
    pub until_stable: bool,
    /// Be this sure of a decision [default: 0.99]
    #[arg(long, value_name = "P", help_heading = "Budget")]
    pub confidence: Option<Probability>,
    /// Decide between tests that fail at most this often and tests that fail clearly, in 22 % of runs [default: 0.01]
    #[arg(long, value_name = "P", help_heading = "Budget")]
    pub flake_rate: Option<Probability>,
    /// Start no further run after this long (90s, 2m, 1h)
    #[arg(long, value_name = "TIME", help_heading = "Budget")]
    pub time: Option<Span>,
    /// End a run that takes longer than this, and count it as failed [default: 1h]
    #[arg(long, value_name = "TIME", help_heading = "Budget")]
    pub timeout: Option<Span>,

    /// Change these around the tests: order, hash, random, clock, tz, locale, tmp, load, latency; or auto, off
    ///
    /// `auto` (the default) tries all of them when a test was flaky, to say why. A list is tried in any case and also
    /// finds tests that pass only as long as nothing changes.
    #[arg(long, value_name = "WHAT", help_heading = "Perturbations")]
    pub perturb: Option<Perturbations>,
    /// Try other orders of the tests, and name the tests that make others fail
    #[arg(long, help_heading = "Perturbations")]
    pub shuffle: bool,

    /// Run the command this often at the same time [default: 1]
    ///
    /// `{job}` in the command, in a variable or in `--results` is the number of the place a run has among those at the same
    /// time, from 0; `{port}` in the command or in a variable is a free port of its own.
    #[arg(long, short, value_name = "N", help_heading = "Running")]
    pub jobs: Option<NonZeroUsize>,
    /// Give every job its own copy of this folder
    #[arg(long, help_heading = "Running")]
    pub isolate: bool,
    /// Set this variable for the command; repeatable
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Running")]
    pub env: Vec<String>,
    /// Rerun only a part of the tests: K/N, or auto for the numbers the environment gives
    #[arg(long, value_name = "K/N", help_heading = "Running")]
    pub shard: Option<Selection>,
    /// Share the tests out by how long they took, as the store remembers; all shards need the same store
    #[arg(long, requires = "shard", help_heading = "Running")]
    pub balance: bool,

    /// Read results from these files (JUnit XML, TAP, JSON); repeatable [default: what the runner is told to write]
    #[arg(long, value_name = "GLOB", help_heading = "Results")]
    pub results: Vec<String>,
    /// Write the verdicts as JUnit XML
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub junit: Option<PathBuf>,
    /// Write the flaky tests as SARIF
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub sarif: Option<PathBuf>,
    /// Remember nothing in the store
    #[arg(long, help_heading = "Results")]
    pub no_store: bool,
}
