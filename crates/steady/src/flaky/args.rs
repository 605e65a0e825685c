//! How flaky assertions are found and handled: the options `fuzz` and `stabilize` share.

use clap::Args;
use steady_flaky::drive::DetectionPlan;
use steady_flaky::relax::Policy;

use crate::values::one_of;

/// Options about flaky assertions.
#[derive(Debug, Clone, Default, Args)]
pub struct FlakyArgs {
    /// What to do with flaky assertions: relax them to what always holds, disable them (comment out), or keep them [default: relax]
    #[arg(long, value_name = "HOW", value_parser = one_of(Policy::ALL, Policy::as_str), help_heading = "Flakiness")]
    pub flaky: Option<Policy>,
    /// Rerun all tests this many times in place; 0 only inspects the form of values [default: 3]
    #[arg(long, value_name = "N", help_heading = "Flakiness")]
    pub reruns: Option<u32>,
    /// Rerun them under these perturbations, if steady starts the API: auto, off, or a list of clock, tz, locale, tmp, hash, random, latency, order, restart [default: auto]
    #[arg(long, value_name = "WHAT", help_heading = "Flakiness")]
    pub perturb: Option<DetectionPlan>,
}
