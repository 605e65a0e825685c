//! `cargo xtask docs`: writes what the documentation has from the code.

use anyhow::{Context as _, Result};
use steady_testkit::matrix::page_with_versions;
use steady_testkit::wiremock::page_with_features;

use crate::{paths, schemas};

/// A page, and what writes its table.
type Page = (&'static str, fn(&str) -> Option<String>);

const PAGES: [Page; 2] = [("runners.md", page_with_versions), ("mocks.md", page_with_features)];

/// Runs the chore.
pub fn run() -> Result<()> {
    schemas::write()?;
    for (name, renewed) in PAGES {
        let path = paths::root().join("docs").join(name);
        let page =
            std::fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        let current =
            renewed(&page).with_context(|| format!("{} has no place for its table", path.display()))?;
        if current == page {
            println!("{} is current", path.display());
            continue;
        }
        std::fs::write(&path, current).with_context(|| format!("{} cannot be written", path.display()))?;
        println!("{} is written", path.display());
    }
    Ok(())
}
