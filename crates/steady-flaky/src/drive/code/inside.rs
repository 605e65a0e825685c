//! APIs that run in the tests' own process: what is changed around them has to be changed around the tests.

use std::path::Path;

use steady_exec::{Capabilities, probes};
use steady_model::rerun::{Condition, Perturbation};
use steady_preload::Support;

use super::code_tests::CodeTests;
use crate::drive::detect::DetectionPlan;
use crate::drive::error::StabilizeError;
use crate::drive::test_set::TestSet as _;

/// What shows in the answers of an API within one run of the tests; every run has a new process anyway.
const CHANGES: [Perturbation; 2] = [Perturbation::Clock, Perturbation::Tz];

/// Runs the tests with the clock of their process moved, where they have an API in it; says why not where it cannot be.
pub(super) async fn look_inside(
    runs: &mut CodeTests<'_>,
    plan: &DetectionPlan,
) -> Result<Option<String>, StabilizeError> {
    if !runs.answers_inside() || plan.reruns == 0 {
        return Ok(None);
    }
    let left = |why: &str| {
        Ok(Some(format!(
            "the clock of the tests' own process was not moved: {why}; what APIs in that process say of the time is judged by its form"
        )))
    };
    let wanted: Vec<Perturbation> =
        CHANGES.into_iter().filter(|change| plan.perturb.contains(change)).collect();
    if !wanted.contains(&Perturbation::Clock) {
        return left("it was not asked for (--perturb)");
    }
    let program = runs.project.command.first().map_or("", String::as_str);
    if let Support::Fails { program, obstacle } = steady_preload::check(Path::new(program)) {
        return left(&format!("{}: {obstacle}", program.display()));
    }
    let capabilities = Capabilities { can_preload: true, ..Capabilities::default() };
    let mut reached = false;
    for change in wanted {
        for condition in conditions(change, &capabilities) {
            if runs.is_over() {
                return Ok(None);
            }
            let was_reached = runs.run_inside(change, &condition).await?;
            reached |= was_reached && change == Perturbation::Clock;
        }
    }
    if reached {
        Ok(None)
    } else {
        left("the preload shim did not reach it, or the tests do not run under it")
    }
}

/// The conditions to try: all of the clock, since no single shift moves the hour, the month and summer time at once.
fn conditions(change: Perturbation, capabilities: &Capabilities) -> Vec<Condition> {
    let limit = if change == Perturbation::Clock { usize::MAX } else { 1 };
    probes(change, capabilities, 0).into_iter().take(limit).map(|probe| probe.condition).collect()
}
