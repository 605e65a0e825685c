//! `steady demo`.

use clap::Args;

use crate::values::HumanDuration;

/// `steady demo`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  steady demo                    fuzz the sample shop, write the suite, run it again
  steady demo --time 20s")]
pub struct DemoArgs {
    /// Fuzz the sample for this long
    #[arg(long, value_name = "TIME", default_value = "6s")]
    pub time: HumanDuration,
}
