//! pytest and unittest, in a virtual environment.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{INSTALL_LIMIT, RUN_LIMIT, Variables};
use crate::install::{once, project_file};
use crate::process::{must_succeed, run};
use crate::{RunReport, RunnerError};

/// Makes the virtual environment and returns its interpreter.
pub(crate) fn install() -> Result<PathBuf, RunnerError> {
    environment("python", &project_file("python/requirements.txt"))
}

/// Makes a virtual environment with these requirements and returns its interpreter.
pub(crate) fn environment(name: &str, requirements: &Path) -> Result<PathBuf, RunnerError> {
    let recipe = fs::read_to_string(requirements)
        .map_err(|source| RunnerError::Folder { path: requirements.to_owned(), source })?;
    let home = once(name, &recipe, |home| {
        must_succeed(Command::new("python3").args(["-m", "venv"]).arg(home), INSTALL_LIMIT)?;
        must_succeed(
            Command::new(interpreter(home)).args(["-m", "pip", "install", "--quiet", "-r"]).arg(requirements),
            INSTALL_LIMIT,
        )
    })?;
    Ok(interpreter(&home))
}

fn interpreter(home: &Path) -> PathBuf {
    home.join("bin/python")
}

pub(crate) fn pytest(folder: &Path, variables: &Variables) -> Result<RunReport, RunnerError> {
    let results = folder.join("results.xml");
    let mut command = python(folder, variables)?;
    command.args(["-m", "pytest", "-p", "no:cacheprovider", "--junitxml"]).arg(&results);
    let finished = run(&mut command, RUN_LIMIT)?;
    RunReport::from_junit(&[results], finished.output)
}

pub(crate) fn unittest(folder: &Path, variables: &Variables) -> Result<RunReport, RunnerError> {
    let finished = run(python(folder, variables)?.args(["-m", "unittest", "-v"]), RUN_LIMIT)?;
    Ok(RunReport::new(verbose_outcomes(&finished.output), finished.output.clone()))
}

fn python(folder: &Path, variables: &Variables) -> Result<Command, RunnerError> {
    let mut command = Command::new(install()?);
    command.current_dir(folder).envs(variables.iter().cloned()).env("PYTHONDONTWRITEBYTECODE", "1");
    Ok(command)
}

/// Reads `test_a (module.Class.test_a)`, its docstring's line, and ` ... ok` or anything else after it.
fn verbose_outcomes(output: &str) -> Vec<(String, bool)> {
    let mut outcomes = Vec::new();
    let mut name = None;
    for line in output.lines() {
        if let Some((word, _)) = line.split_once(" (")
            && word.starts_with("test_")
        {
            name = Some(word.to_owned());
        }
        if let Some((_, outcome)) = line.rsplit_once(" ... ")
            && let Some(name) = name.take()
        {
            outcomes.push((name, outcome == "ok"));
        }
    }
    outcomes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_read_with_and_without_docstrings() {
        let output = "test_a (m.C.test_a)\nAbout a. ... ok\ntest_b (m.C.test_b) ... FAIL\n\nFAIL: test_b (m.C.test_b)\n";
        assert_eq!(verbose_outcomes(output), [("test_a".to_owned(), true), ("test_b".to_owned(), false)]);
    }
}
