//! Test code that exists, run by its own runner.
//!
//! The project is copied, and everything happens in the copy: tests are run with a recorder beside them and with their
//! assertions about responses commented out, because a test makes no further calls after one that fails. Each assertion is then
//! checked against what was recorded, and those that do not hold every time are rewritten. The rewritten tests are run before anybody is
//! offered them.

mod code_tests;
mod decide;
mod earlier;
#[cfg(test)]
mod fakes;
mod inside;
mod lines;
mod note;
mod project;
mod sandbox_runner;
mod sort;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use crate::Step;
use crate::relax::Policy;
use steady_model::Flaky;
use steady_model::rerun::Condition;

use crate::drive::cost::Cost;
use crate::drive::detect::{DetectionPlan, detect_with};
use crate::drive::error::StabilizeError;
use crate::drive::sut_access::SutAccess;
use crate::drive::test_set::TestSet as _;
use code_tests::CodeTests;
use decide::decide;
use inside::look_inside;
use sandbox_runner::SandboxRunner;
use sort::sort;

pub use project::{CodeError, CodeProject, TestCode};
pub use sort::{SortedTests, TestLeft};

/// How often tests that fail after they were rewritten may learn from it.
const LESSONS: u32 = 3;

/// How often tests that nothing more can be learnt from are run again, to separate the broken from the flaky.
const CONFIRMATIONS: u32 = 2;

/// Test code after detection.
#[derive(Debug)]
pub struct StabilizedCode {
    /// The files that change.
    pub files: Vec<ChangedFile>,
    /// What is not the same every time.
    pub flaky: Vec<Flaky>,
    /// The result of every test.
    pub tests: SortedTests,
    /// What could not be read, said or tried, a line each.
    pub notes: Vec<String>,
    /// What it took.
    pub cost: Cost,
    /// Whether the user ended it early.
    pub interrupted: bool,
}

/// A file before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// Where it is, relative to the project.
    pub path: PathBuf,
    /// Its text as it was read.
    pub before: String,
    /// Its text with the assertions rewritten.
    pub after: String,
}

/// Finds the assertions of test code that do not hold every time, and rewrites them.
pub async fn stabilize_code(
    project: &CodeProject<'_>,
    access: &mut SutAccess<'_>,
    plan: &DetectionPlan,
    policy: Policy,
    warn: &mut dyn FnMut(String),
) -> Result<StabilizedCode, StabilizeError> {
    let runner = SandboxRunner::new(project)?;
    stabilize_runs(CodeTests::new(project, Box::new(runner)), access, plan, policy, warn).await
}

/// The same for tests that may be run in any way.
async fn stabilize_runs(
    mut runs: CodeTests<'_>,
    access: &mut SutAccess<'_>,
    plan: &DetectionPlan,
    policy: Policy,
    warn: &mut dyn FnMut(String),
) -> Result<StabilizedCode, StabilizeError> {
    // As they are, to know which tests fail; then without their assertions, to see all that they ask for.
    runs.run_all(Step::Rerun, "first run", access).await?;
    runs.silence()?;
    detect_with(&mut runs, access, plan, warn).await?;
    let not_moved = look_inside(&mut runs, plan).await?;
    let mut decided = decide(&runs, policy);
    if policy != Policy::Keep {
        let step = if access.is_managed() { Step::Restart } else { Step::Rerun };
        for lesson in 0..=LESSONS {
            if runs.is_over() {
                break;
            }
            access.restart(&Condition::default()).await?;
            runs.stage(&decided.texts)?;
            let failed = runs.prove(step, access).await?;
            // The last one is run as it is offered, and teaches nothing more.
            if failed == 0 || lesson == LESSONS {
                break;
            }
            let known = decided.texts.clone();
            decided = decide(&runs, policy);
            if decided.texts == known {
                // What fails for a reason that cannot be learnt is run again, to separate the broken from the flaky.
                for _ in 0..CONFIRMATIONS {
                    if !runs.is_over() {
                        runs.prove(step, access).await?;
                    }
                }
                break;
            }
        }
    } else if !runs.is_over() {
        runs.stage(&decided.texts)?;
        runs.prove(Step::Rerun, access).await?;
    }
    let tests = sort(&runs, &decided);
    let files = runs.changed(&decided.texts);
    let mut notes = runs.notes();
    notes.extend(not_moved);
    notes.extend(decided.notes);
    Ok(StabilizedCode {
        files,
        flaky: decided.flaky,
        tests,
        notes,
        interrupted: runs.is_over(),
        cost: runs.cost().clone(),
    })
}
