//! `steady waits tune`.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;
use steady_waits::locate::Ranking;

use crate::cli::EXIT_CODES;
use crate::values::{Factor, FileLine, HumanDuration, Switch, one_of, switch};

/// `steady waits tune`.
#[derive(Debug, Clone, Args)]
#[command(after_help = format!("\
Examples:
  steady waits tune e2e/cart.spec.ts:41                the candidates, best first, and the patch
  steady waits tune e2e/cart.spec.ts:41 -- npx playwright test       the first one that holds
  steady waits tune e2e/cart.spec.ts:41 --dynamic -- npx jest        the shortest that holds, to 5 ms
  npx jest cart 2>&1 | steady waits tune --failure -   where the failure's stack points
  steady waits tune --shrink e2e -- npx playwright test              shorter values for all waits there

A sleep costs time in every run; the time limit of a polling call costs nothing when the test passes.

{EXIT_CODES}"))]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub struct TuneArgs {
    /// The flaky line as FILE:LINE; FILE alone if it has one wait, or if the command's failure names the line
    #[arg(value_name = "FILE[:LINE]")]
    pub at: Option<FileLine>,
    /// Take the line from the stack trace of a failure: a file with the runner's output, or - for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "shrink")]
    pub failure: Option<PathBuf>,
    /// Shorten all sleeps of a file or folder as long as the tests pass
    #[arg(long)]
    pub shrink: bool,

    /// Try the candidates in order until one holds; the default
    #[arg(long = "static", group = "mode", help_heading = "Search")]
    pub fixed: bool,
    /// Then bisect towards the flaky value, down to the threshold
    #[arg(long, group = "mode", help_heading = "Search")]
    pub dynamic: bool,
    /// Then bisect, and stop at the first shorter value that holds
    #[arg(long, group = "mode", help_heading = "Search")]
    pub first_match: bool,
    /// Start from this value, such as the one a developer chose, instead of candidates (FaTB)
    #[arg(long, value_name = "TIME", help_heading = "Search")]
    pub from: Option<HumanDuration>,
    /// Stop bisecting when the values are this close [default: 5ms]
    #[arg(long, value_name = "TIME", help_heading = "Search")]
    pub threshold: Option<HumanDuration>,
    /// Insert a sleep where there is no wait yet, even if the call could take a time limit
    #[arg(long, conflicts_with = "shrink", help_heading = "Search")]
    pub pause: bool,
    /// How candidates are ranked: learned, traf (the paper's), frequency [default: learned]
    #[arg(long, value_name = "HOW", value_parser = one_of(Ranking::ALL, Ranking::as_str), hide_possible_values = true, help_heading = "Search")]
    pub ranking: Option<Ranking>,
    /// Also use past versions of the lines: on or off [default: on]
    #[arg(long, value_name = "WHETHER", value_parser = switch(), hide_possible_values = true, help_heading = "Search")]
    pub history: Option<Switch>,
    /// Maximum number of commits to read [default: 10000]
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub history_depth: Option<NonZeroUsize>,

    /// Number of consecutive passing runs that a value needs [default: 100]
    #[arg(long, value_name = "N", help_heading = "Proof")]
    pub runs: Option<NonZeroU32>,
    /// Safety factor for slower machines [default: 1]
    #[arg(long, value_name = "FACTOR", help_heading = "Proof")]
    pub margin: Option<Factor>,
    /// Run only the test with this title
    #[arg(long, value_name = "NAME", help_heading = "Proof")]
    pub test: Option<String>,
    /// Time limit for one run of the test command [default: 10m]
    #[arg(long, value_name = "TIME", help_heading = "Proof")]
    pub test_timeout: Option<HumanDuration>,
    /// Start no new run after this long
    #[arg(long, value_name = "TIME", help_heading = "Proof")]
    pub time: Option<HumanDuration>,

    /// Only show the diff; the default
    #[arg(long, conflicts_with = "write")]
    pub dry_run: bool,
    /// Change the file
    #[arg(long)]
    pub write: bool,
    /// Change a file even if it has uncommitted changes
    #[arg(long, requires = "write")]
    pub allow_dirty: bool,
    /// The command that runs the tests; without it nothing is run
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<String>,
}
