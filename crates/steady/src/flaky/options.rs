//! How flaky assertions are found and handled.

use steady_flaky::drive::DetectionPlan;
use steady_flaky::relax::Policy;

use super::FlakyArgs;
use crate::config::FlakyConfig;

/// How flaky assertions are found and handled.
#[derive(Debug, Clone, Default)]
pub struct FlakyOptions {
    /// How they are handled.
    pub policy: Policy,
    /// How they are found.
    pub plan: DetectionPlan,
}

impl FlakyOptions {
    /// Takes the flags, then what `steady.toml` says.
    pub fn resolve(args: &FlakyArgs, config: &FlakyConfig) -> Self {
        let reruns = args.reruns.or(config.reruns).unwrap_or(DetectionPlan::default().reruns);
        let asked =
            args.perturb.clone().or_else(|| config.perturb.clone()).unwrap_or_else(DetectionPlan::auto);
        // Without reruns only the form of values counts.
        let plan = if reruns == 0 { DetectionPlan::off() } else { asked };
        Self {
            policy: args.flaky.or(config.flaky).unwrap_or_default(),
            plan: DetectionPlan { reruns, ..plan },
        }
    }
}
