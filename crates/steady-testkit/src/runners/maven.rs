//! JUnit through Maven's Surefire, for Java and Kotlin alike.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{INSTALL_LIMIT, RUN_LIMIT, Variables};
use crate::process::{must_succeed, run};
use crate::{RunReport, RunnerError};

/// Checks that Maven is there; what a project needs it downloads itself, into its usual repository.
pub(crate) fn install() -> Result<(), RunnerError> {
    must_succeed(Command::new("mvn").arg("--version"), INSTALL_LIMIT)
}

pub(crate) fn surefire(folder: &Path, variables: &Variables) -> Result<RunReport, RunnerError> {
    let mut command = Command::new("mvn");
    command
        .args(["--batch-mode", "--no-transfer-progress", "test"])
        .current_dir(folder)
        .envs(variables.iter().cloned());
    let finished = run(&mut command, RUN_LIMIT)?;
    let reports = folder.join("target/surefire-reports");
    let files = junit_files(&reports).map_err(|error| RunnerError::Report {
        path: reports.clone(),
        reason: error.to_string(),
        output: finished.output.clone(),
    })?;
    RunReport::from_junit(&files, finished.output)
}

fn junit_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "xml") {
            files.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}
