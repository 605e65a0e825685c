//! Where the tests fail, when nobody has said it yet.

use std::path::Path;

use steady_exec::{ExecError, Sandbox, StateDir};
use steady_process::{Exit, spawn};

use super::{Project, TuneError};
use crate::stack::{Location, fix_location, fix_location_in};

/// How often the command may fail elsewhere before that is believed.
const ELSEWHERE: u32 = 3;

/// What came of looking for a failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failing {
    /// The command failed, and its output names this line.
    At(Location),
    /// The command failed, and its output names no line of the project.
    Nowhere,
    /// The command passed every time.
    Never,
    /// It was ended from outside before that was known.
    Interrupted,
}

/// Runs the command in a copy of the project until it fails, and says at which line. Where a file is given, a line of it is
/// preferred: other tests may fail too, and helpers are nearer to a failure than the test that calls them.
pub fn failing(project: &Project<'_>, file: Option<&Path>, runs: u32) -> Result<Failing, TuneError> {
    let state_dir = StateDir::open(project.state)?;
    let sandbox = Sandbox::of_sources(project.folder, &state_dir, project.cancel)?;
    let copy = sandbox.path();
    let Some(spec) = project.test_command().as_given(copy) else { return Ok(Failing::Nowhere) };
    let mut elsewhere = None;
    let mut failures = 0;
    for _ in 0..runs {
        let finished = spawn(&spec).map_err(ExecError::from)?.wait(project.cancel);
        if project.cancel.is_requested() || finished.exit == Exit::Stopped {
            return Ok(Failing::Interrupted);
        }
        if finished.exit.is_success() {
            continue;
        }
        let output = finished.output.text();
        if let Some(here) = file.and_then(|file| fix_location_in(&output, copy, file)) {
            return Ok(Failing::At(here));
        }
        failures += 1;
        elsewhere = elsewhere.or_else(|| fix_location(&output, copy));
        if file.is_none() || failures == ELSEWHERE {
            break;
        }
    }
    Ok(match (elsewhere, failures) {
        (Some(location), _) => Failing::At(location),
        (None, 0) => Failing::Never,
        (None, _) => Failing::Nowhere,
    })
}
