//! Jest, Mocha and Playwright Test in one npm project, Vitest in another.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{INSTALL_LIMIT, RUN_LIMIT, Variables};
use crate::install::{once, project_file};
use crate::process::{must_succeed, run};
use crate::{RunReport, RunnerError};

const PROJECT: [&str; 3] = ["package.json", "package-lock.json", ".npmrc"];

/// Installs Jest, Mocha and Playwright Test and returns their `node_modules`.
pub(crate) fn install() -> Result<PathBuf, RunnerError> {
    project("node", &project_file("node"), &["ci"])
}

/// Installs Vitest and returns its `node_modules`.
pub(crate) fn install_vitest() -> Result<PathBuf, RunnerError> {
    // Its lock file names the native packages of one platform; `npm ci` would ask for those of all others too.
    project("vitest", &project_file("vitest"), &["install", "--no-save"])
}

/// Installs an npm project and returns its `node_modules`.
pub(crate) fn project(name: &str, folder: &Path, command: &[&str]) -> Result<PathBuf, RunnerError> {
    let read = |file: &str| {
        let path = folder.join(file);
        fs::read_to_string(&path).map_err(|source| RunnerError::Folder { path, source })
    };
    let files = PROJECT.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let home = once(name, &files.concat(), |home| {
        for (name, text) in PROJECT.into_iter().zip(&files) {
            let path = home.join(name);
            fs::write(&path, text).map_err(|source| RunnerError::Folder { path, source })?;
        }
        must_succeed(
            Command::new("npm")
                .args(command)
                .args(["--ignore-scripts", "--no-audit", "--no-fund"])
                .current_dir(home)
                // The request fixture needs no browser.
                .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"),
            INSTALL_LIMIT,
        )
    })?;
    Ok(home.join("node_modules"))
}

pub(crate) fn jest(folder: &Path, variables: &Variables) -> Result<RunReport, RunnerError> {
    let modules = install()?;
    let results = folder.join("results.json");
    let mut command = node(&modules, "jest/bin/jest.js", folder, variables);
    command.args(["--ci", "--json", "--outputFile"]).arg(&results);
    let finished = run(&mut command, RUN_LIMIT)?;
    let unreadable = |reason: String| RunnerError::Report {
        path: results.clone(),
        reason,
        output: finished.output.clone(),
    };
    let text = fs::read_to_string(&results).map_err(|error| unreadable(error.to_string()))?;
    let json: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
    let cases = json["testResults"].as_array().into_iter().flatten();
    let cases = cases.flat_map(|file| file["assertionResults"].as_array().into_iter().flatten());
    let outcomes = cases.filter_map(|case| {
        let name = case["title"].as_str()?.to_owned();
        Some((name, case["status"].as_str()? == "passed"))
    });
    Ok(RunReport::new(outcomes, finished.output.clone()))
}

pub(crate) fn playwright(folder: &Path, variables: &Variables) -> Result<RunReport, RunnerError> {
    let modules = install()?;
    let results = folder.join("results.xml");
    let mut command = node(&modules, "@playwright/test/cli.js", folder, variables);
    command.args(["test", "--reporter=junit"]).env("PLAYWRIGHT_JUNIT_OUTPUT_FILE", &results);
    let finished = run(&mut command, RUN_LIMIT)?;
    RunReport::from_junit(&[results], finished.output)
}

fn node(modules: &Path, script: &str, folder: &Path, variables: &Variables) -> Command {
    let mut command = Command::new("node");
    // The folder has no `node_modules` of its own; the tests find theirs through the path.
    command
        .arg(modules.join(script))
        .current_dir(folder)
        .envs(variables.iter().cloned())
        .env("NODE_PATH", modules)
        .env("NO_COLOR", "1");
    command
}
