//! How each runner is installed and called; one file per ecosystem, each with `install` and the runs.

pub(crate) mod hurl;
pub(crate) mod maven;
pub(crate) mod node;
pub(crate) mod python;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::RunnerError;

/// Installing may have to download a lot.
pub(crate) const INSTALL_LIMIT: Duration = Duration::from_secs(30 * 60);
/// The longest a suite may run: a build from cold included.
const RUN_LIMIT: Duration = Duration::from_secs(15 * 60);

/// Environment variables for a run.
pub(crate) type Variables = [(OsString, OsString)];

/// Installs Jest, Mocha and Playwright Test, once, and returns their `node_modules`.
pub fn node_modules() -> Result<PathBuf, RunnerError> {
    node::install()
}

/// Installs Vitest, once, and returns its `node_modules`.
pub fn vitest_modules() -> Result<PathBuf, RunnerError> {
    node::install_vitest()
}

/// Installs pytest, once, and returns the interpreter that has it.
pub fn python() -> Result<PathBuf, RunnerError> {
    python::install()
}

/// Installs an npm project with a lock file, once, and returns its `node_modules`. The name is that of the installation.
pub fn npm_project(name: &str, folder: &Path) -> Result<PathBuf, RunnerError> {
    node::project(name, folder, &["ci"])
}

/// Installs pinned Python packages, once, and returns the interpreter that has them. The name is that of the installation.
pub fn python_packages(name: &str, requirements: &Path) -> Result<PathBuf, RunnerError> {
    python::environment(name, requirements)
}
