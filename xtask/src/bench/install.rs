//! Installing services and tools below `target/bench/`, as the files below `bench/` pin them.
//!
//! Every function is quick when what it installs is there already: a stamp beside it holds the file it was installed from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::paths;
use crate::step::{Steps, cargo};

/// Makes a Python environment from `bench/<what>/requirements.txt`; returns its `bin` folder.
pub fn python(what: &str) -> Result<PathBuf> {
    let requirements = paths::root().join("bench").join(what).join("requirements.txt");
    let environment = installed(what);
    unless_stamped(&environment, &[&requirements], || {
        let mut steps = Steps::default();
        steps
            .run("environment", Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment))?;
        let mut pip = Command::new(environment.join("bin").join("pip"));
        steps.run(
            "pip",
            pip.args(["install", "--quiet", "--disable-pip-version-check", "-r"]).arg(&requirements),
        )
    })?;
    Ok(environment.join("bin"))
}

/// Installs `bench/<what>/package.json` with its lock file; returns the `node_modules` folder.
pub fn npm(what: &str) -> Result<PathBuf> {
    let source = paths::root().join("bench").join(what);
    let (package, lock) = (source.join("package.json"), source.join("package-lock.json"));
    let folder = installed(what);
    unless_stamped(&folder, &[&package, &lock], || {
        fs::copy(&package, folder.join("package.json"))
            .with_context(|| format!("could not copy {}", package.display()))?;
        fs::copy(&lock, folder.join("package-lock.json"))
            .with_context(|| format!("could not copy {}", lock.display()))?;
        let mut npm = Command::new("npm");
        // Packages that want an older Node.js print long warnings and still run.
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"])
            .arg(&folder);
        Steps::default().run("npm", &mut npm)
    })?;
    Ok(folder.join("node_modules"))
}

/// Installs a program from the crate registry with the versions its author locked; returns the program.
pub fn crates(name: &str, version: &str) -> Result<PathBuf> {
    let folder = installed(&format!("crates/{name}-{version}"));
    let program = folder.join("bin").join(name);
    if !program.exists() {
        let mut install = cargo(&["install", name, "--version", version, "--locked", "--quiet", "--root"]);
        // Its own target folder: the workspace's lints and profiles do not apply to it.
        install.arg(&folder).env("CARGO_TARGET_DIR", folder.join("target"));
        Steps::default().run("cargo install", &mut install)?;
    }
    Ok(program)
}

fn installed(what: &str) -> PathBuf {
    paths::bench().join("installed").join(what)
}

/// Runs `install` unless the stamp in `folder` says that it was done from these very files.
fn unless_stamped(folder: &Path, sources: &[&Path], install: impl FnOnce() -> Result<()>) -> Result<()> {
    let mut wanted = Vec::new();
    for source in sources {
        wanted.extend(fs::read(source).with_context(|| format!("could not read {}", source.display()))?);
    }
    let stamp = folder.join("installed-from");
    if fs::read(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    fs::create_dir_all(folder).with_context(|| format!("could not create {}", folder.display()))?;
    install()?;
    fs::write(&stamp, wanted).with_context(|| format!("could not write {}", stamp.display()))
}
