//! `steady merge`.

use std::path::PathBuf;

use clap::Args;
use steady_emit::Emitter;

use crate::cli::EXIT_CODES;
use crate::values::one_of;

/// `steady merge`.
#[derive(Debug, Clone, Args)]
#[command(after_help = format!("\
Examples:
  steady merge results-1 results-2 results-3 --out all     of `steady rerun --shard K/3 --out results-K`
  steady merge shard-* --out steady-out                    of `steady fuzz --shard K/N --out shard-K`

{EXIT_CODES}"))]
pub struct MergeArgs {
    /// The shards' output folders
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// Emit the merged suite as test code in these formats, comma-separated [default: pytest]
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = one_of(Emitter::ALL, Emitter::as_str))]
    pub emit: Vec<Emitter>,
    /// Write the verdicts as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write the flaky tests as SARIF
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
}
