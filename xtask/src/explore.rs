//! `cargo xtask explore`: property tests with cases that no run has drawn before, and more of them.

use std::collections::BTreeSet;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::Path;

use anyhow::{Context as _, Result};
use clap::Args;

use crate::paths;
use crate::step::{Steps, cargo};

/// How far to look.
#[derive(Debug, Args)]
pub struct Options {
    /// Cases for each property.
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    cases: u32,
    /// Draws the cases of an earlier exploration again.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// Runs the chore.
pub fn run(options: &Options) -> Result<()> {
    let seed = options.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
    println!("{} cases for each property, seed {seed}", options.cases);
    let mut steps = Steps::default();
    for entry in std::fs::read_dir(paths::root().join("crates")).context("crates cannot be listed")? {
        let folder = entry?.path();
        let targets = targets_with_properties(&folder)?;
        if targets.is_empty() {
            continue;
        }
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut tests = cargo(&["test", "--no-fail-fast", "--package", &name]);
        tests.args(targets).env("PROPTEST_CASES", options.cases.to_string());
        println!("\n{name}");
        steps.run("properties", tests.env("PROPTEST_RNG_SEED", seed.to_string()))?;
    }
    Ok(())
}

/// The arguments of `cargo test` for the targets of a package that have property tests.
fn targets_with_properties(package: &Path) -> Result<BTreeSet<String>> {
    let mut targets = BTreeSet::new();
    if has_properties(&package.join("src"))? {
        targets.insert("--lib".to_owned());
    }
    let tests = package.join("tests");
    for entry in tests.read_dir().into_iter().flatten() {
        let path = entry?.path();
        if has_properties(&path)? {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            targets.insert(format!("--test={name}"));
        }
    }
    Ok(targets)
}

fn has_properties(path: &Path) -> Result<bool> {
    if path.is_dir() {
        for entry in path.read_dir()? {
            if has_properties(&entry?.path())? {
                return Ok(true);
            }
        }
        return Ok(false);
    }
    let is_source = path.extension().is_some_and(|extension| extension == "rs");
    Ok(is_source && std::fs::read_to_string(path)?.contains("proptest! {"))
}
