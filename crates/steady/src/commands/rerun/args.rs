//! `steady rerun`.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;
use steady_model::shard::Selection;

use crate::cli::EXIT_CODES;
use crate::values::{Explain, HumanDuration, Perturbations, Probability, count, variable};

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

    /// Number of runs without perturbations [default: 100]
    #[arg(long, value_name = "N", help_heading = "Budget", value_parser = count::<NonZeroU32>)]
    pub runs: Option<NonZeroU32>,
    /// Stop as soon as there is a verdict on every test
    #[arg(long, help_heading = "Budget")]
    pub until_stable: bool,
    /// Confidence required for a verdict [default: 0.99]
    #[arg(long, value_name = "P", help_heading = "Budget")]
    pub confidence: Option<Probability>,
    /// Highest failure rate still considered stable [default: 0.01]
    #[arg(long, value_name = "P", help_heading = "Budget")]
    pub flake_rate: Option<Probability>,
    /// Start no new run after this long (90s, 2m, 1h)
    #[arg(long, value_name = "TIME", help_heading = "Budget")]
    pub time: Option<HumanDuration>,
    /// Time limit for one run, which then counts as failed [default: 1h]
    #[arg(long, value_name = "TIME", help_heading = "Budget")]
    pub timeout: Option<HumanDuration>,

    /// Run under these perturbations: order, hash, random, clock, tz, locale, tmp, load, latency; or auto, off
    ///
    /// `auto` (the default) tries all of them if a test is flaky, to find the cause. A list is always tried, and also finds
    /// tests that pass only in an unchanged environment.
    #[arg(long, value_name = "WHAT", help_heading = "Perturbations")]
    pub perturb: Option<Perturbations>,
    /// Number of extra runs to find the cause of flaky tests, or full [default: as many as --runs]
    ///
    /// Each perturbation is tried in turn; the report lists those that were not. With a list of perturbations, all of them are tried.
    #[arg(long, value_name = "N", help_heading = "Perturbations")]
    pub explain: Option<Explain>,
    /// Run the tests in other orders, and name the tests that make others fail
    #[arg(long, help_heading = "Perturbations")]
    pub shuffle: bool,

    /// Number of concurrent runs [default: 1]
    ///
    /// In the command, in a variable and in `--results`, `{job}` is the index of the concurrent run, from 0; in the command and
    /// in a variable, `{port}` is a free port.
    #[arg(long, short, value_name = "N", help_heading = "Running", value_parser = count::<NonZeroUsize>)]
    pub jobs: Option<NonZeroUsize>,
    /// Give every concurrent run its own copy of this folder
    #[arg(long, help_heading = "Running")]
    pub isolate: bool,
    /// Set this variable for the command; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable, help_heading = "Running")]
    pub env: Vec<(String, String)>,
    /// Run shard K of N (from 1), or `auto` in CI
    #[arg(long, value_name = "K/N", help_heading = "Running")]
    pub shard: Option<Selection>,
    /// Balance shards by the durations in the store; all shards need the same store
    #[arg(long, requires = "shard", help_heading = "Running")]
    pub balance: bool,

    /// Read results from these files (JUnit XML, TAP, JSON); repeatable [default: what steady makes the runner write]
    #[arg(long, value_name = "GLOB", help_heading = "Results")]
    pub results: Vec<String>,
    /// Write the verdicts as JUnit XML
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub junit: Option<PathBuf>,
    /// Write the flaky tests as SARIF
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub sarif: Option<PathBuf>,
    /// Do not write to the store
    #[arg(long, help_heading = "Results")]
    pub no_store: bool,
}
