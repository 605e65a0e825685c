//! `cargo xtask docs`: writes what the documentation has from the code.

use anyhow::{Context as _, Result};
use steady_testkit::matrix::page_with_versions;

use crate::{paths, schemas};

/// Runs the chore.
pub fn run() -> Result<()> {
    schemas::write()?;
    let path = paths::root().join("docs").join("runners.md");
    let page =
        std::fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    let current = page_with_versions(&page)
        .with_context(|| format!("{} has no place for the versions of runners", path.display()))?;
    if current == page {
        println!("{} is current", path.display());
        return Ok(());
    }
    std::fs::write(&path, current).with_context(|| format!("{} cannot be written", path.display()))?;
    println!("{} is written", path.display());
    Ok(())
}
