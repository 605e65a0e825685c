//! Test code that exists, run by its own runner.
//!
//! The project is copied, and everything happens in the copy: tests are run with a recorder beside them and with their
//! assertions about responses as comments, so that none keeps the calls behind it from being made. What each assertion says is then held
//! against what was recorded, and those that do not hold every time are rewritten. The rewritten tests are run before anybody is
//! offered them.

mod decide;
mod lines;
mod project;
mod runs;

use std::path::PathBuf;

use steady_flaky::Step;
use steady_flaky::relax::Policy;
use steady_model::Flaky;
use steady_model::rerun::Condition;

use crate::company::{Company as _, Order};
use crate::cost::Cost;
use crate::error::StabilizeError;
use crate::footing::Footing;
use crate::ladder::{Ladder, ascend};
use decide::decide;
use runs::Runs;

pub use project::{CodeError, CodeProject, TestCode};

/// How often tests that fail after they were rewritten may learn from it.
const LESSONS: u32 = 3;

/// What became of test code.
#[derive(Debug)]
pub struct StabilizedCode {
    /// The files that change.
    pub files: Vec<ChangedFile>,
    /// What is not the same every time.
    pub flaky: Vec<Flaky>,
    /// Tests that fail every time, by name.
    pub failing: Vec<String>,
    /// Tests that still pass and fail: what makes them do so is none of the assertions that were understood.
    pub unmended: Vec<String>,
    /// What could not be read or said, a line each.
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
    footing: &mut Footing<'_>,
    ladder: &Ladder,
    policy: Policy,
    tell: &mut dyn FnMut(String),
) -> Result<StabilizedCode, StabilizeError> {
    let mut runs = Runs::new(project)?;
    // As they are, to know which tests fail; then without their assertions, to see all that they ask for.
    runs.perform(Step::Rerun, Order::Forwards, "first run").await?;
    runs.silence()?;
    ascend(&mut runs, footing, ladder, tell).await?;
    let mut decided = decide(&runs, policy);
    if policy != Policy::Keep {
        for _ in 0..LESSONS {
            if runs.is_over() {
                break;
            }
            footing.restart(&Condition::default()).await?;
            runs.stage(&decided.texts)?;
            let step = if footing.is_ours() { Step::Restart } else { Step::Rerun };
            let failed = runs.prove(step).await?;
            let known = decided.texts.clone();
            decided = decide(&runs, policy);
            if failed == 0 || decided.texts == known {
                break;
            }
        }
    }
    let (failing, unmended) = (runs.failing_every_time(), runs.still_flaky());
    let files = runs.changed(&decided.texts);
    let mut notes = runs.notes();
    notes.extend(decided.notes);
    Ok(StabilizedCode {
        files,
        flaky: decided.flaky,
        failing,
        unmended,
        notes,
        interrupted: runs.is_over(),
        cost: runs.cost().clone(),
    })
}
