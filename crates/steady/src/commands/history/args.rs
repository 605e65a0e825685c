//! `steady history`.

use std::num::NonZeroUsize;

use clap::Args;
use steady_store::Bucket;

use crate::cli::EXIT_CODES;
use crate::values::{Age, count, one_of};

/// `steady history`.
#[derive(Debug, Clone, Args)]
#[command(after_help = format!("\
Examples:
  steady history                          the tests that failed most often in the last 30 days
  steady history test_cart --since 90d --by week
  steady history --format json | jq .

{EXIT_CODES}"))]
pub struct HistoryArgs {
    /// Show only tests whose name contains this (`*` matches anything)
    #[arg(value_name = "TEST")]
    pub test: Option<String>,
    /// Look this far back (12h, 30d, 8w)
    #[arg(long, value_name = "AGE", default_value = "30d")]
    pub since: Age,
    /// Bucket size of the trend line
    #[arg(long, value_name = "SPAN", default_value = "day", value_parser = one_of(Bucket::ALL, Bucket::as_str))]
    pub by: Bucket,
    /// Show at most this many tests
    #[arg(long, value_name = "N", default_value = "20", value_parser = count::<NonZeroUsize>)]
    pub limit: NonZeroUsize,
    /// Include tests that never failed
    #[arg(long)]
    pub all: bool,
}
