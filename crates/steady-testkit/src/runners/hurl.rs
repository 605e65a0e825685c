//! Hurl, built from source.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{INSTALL_LIMIT, RUN_LIMIT, Variables};
use crate::install::once;
use crate::process::{must_succeed, run};
use crate::{RunReport, RunnerError};

const VERSION: &str = "8.0.1";

/// Builds Hurl and returns its program. It needs the headers of libcurl, libxml2 and libclang: on Debian,
/// `libcurl4-openssl-dev libxml2-dev libclang-dev pkg-config`.
pub(crate) fn install() -> Result<PathBuf, RunnerError> {
    let home = once("hurl", VERSION, |home| {
        let mut cargo = Command::new("cargo");
        cargo.args(["install", "hurl", "--version", VERSION, "--locked", "--quiet", "--root"]).arg(home);
        let build = home.join("build");
        must_succeed(cargo.arg("--target-dir").arg(&build), INSTALL_LIMIT)?;
        fs::remove_dir_all(&build).map_err(|source| RunnerError::Folder { path: build, source })
    })?;
    Ok(home.join("bin/hurl"))
}

pub(crate) fn run_script(folder: &Path, variables: &Variables) -> Result<RunReport, RunnerError> {
    let results = folder.join("results.xml");
    let mut command = Command::new("sh");
    command
        .args(["run.sh", "--report-junit"])
        .arg(&results)
        .current_dir(folder)
        .envs(variables.iter().cloned())
        .env("HURL", install()?);
    let finished = run(&mut command, RUN_LIMIT)?;
    RunReport::from_junit(&[results], finished.output)
}
