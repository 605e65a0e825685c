//! What keeps the house in order: layers, unused dependencies, spelling, and a tidy root.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::bench::install;
use crate::step::{Steps, cargo};
use crate::{layers, paths, schemas};

/// The expected content of the workspace's root.
const ROOT: &str = ".cargo .ci .editorconfig .github .gitignore ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md \
    Cargo.lock Cargo.toml LICENSE-APACHE LICENSE-MIT README.md bench clippy.toml crates deny.toml docs rustfmt.toml xtask";
/// Lists the dependencies that no source file mentions.
const MACHETE: (&str, &str) = ("cargo-machete", "0.9.1");

/// Runs all of them.
pub fn run(steps: &mut Steps) -> Result<()> {
    println!("\n==> layers");
    layers::check()?;
    tidy_root()?;
    schemas::check()?;
    let machete = machete(steps)?;
    steps.run("unused dependencies", &mut Command::new(machete))?;
    let typos = install::python("tools/typos")?.join("typos");
    steps.run("spelling", &mut Command::new(typos))
}

fn tidy_root() -> Result<()> {
    let listing = Command::new("git").args(["ls-files"]).current_dir(paths::root()).output();
    let listing = listing.context("could not start `git ls-files`")?;
    let listing = String::from_utf8_lossy(&listing.stdout).into_owned();
    let stray = strays(listing.lines());
    ensure!(
        stray.is_empty(),
        "{} does not belong into the workspace's folder (what does is listed in xtask/src/guards.rs)",
        stray.join(", ")
    );
    Ok(())
}

fn strays<'a>(files: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<&str> = files.filter_map(|file| file.split('/').next()).collect();
    names.dedup();
    names.retain(|name| !ROOT.split(' ').any(|known| known == *name));
    names
}

/// Builds the tool once, below `target`.
fn machete(steps: &mut Steps) -> Result<PathBuf> {
    let (name, version) = MACHETE;
    let folder = paths::root().join("target").join("tools").join(format!("{name}-{version}"));
    let binary = folder.join("bin").join(name);
    if !binary.exists() {
        let mut install = cargo(&["install", "--quiet", "--locked", "--version", version, name, "--root"]);
        steps.run("tools", install.arg(&folder))?;
    }
    Ok(binary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stray_file_is_named_once() {
        let files = ["README.md", "crates/steady/Cargo.toml", "ids2", "notes/a.md", "notes/b.md"];
        assert_eq!(strays(files.into_iter()), ["ids2", "notes"]);
    }
}
