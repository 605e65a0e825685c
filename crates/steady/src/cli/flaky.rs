//! What becomes of flaky assertions: the options `fuzz` and `stabilize` share.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::values::{LadderSteps, PolicyChoice};

/// Options about flaky assertions.
#[derive(Debug, Clone, Default, Args)]
pub struct FlakyArgs {
    /// Say the strongest thing that is true of a value that varies, make its assertion a comment, or leave it [default: relax]
    #[arg(long, value_name = "HOW", value_parser = policy_parser(), help_heading = "Flakiness")]
    pub flaky: Option<PolicyChoice>,
    /// Run all tests again this often in place; 0 goes by the looks of values alone [default: 3]
    #[arg(long, value_name = "N", help_heading = "Flakiness")]
    pub reruns: Option<u32>,
    /// Run them with these changed, when steady starts the API: auto, off, or a list of clock, tz, locale, tmp, hash, random, latency, order, restart [default: auto]
    #[arg(long, value_name = "WHAT", help_heading = "Flakiness")]
    pub perturb: Option<LadderSteps>,
}

fn policy_parser() -> impl TypedValueParser<Value = PolicyChoice> {
    PossibleValuesParser::new(PolicyChoice::NAMES).try_map(|name| name.parse::<PolicyChoice>())
}
