//! Builds the shim, so that the library can carry it.
//!
//! A cargo inside cargo: its target folder is our own, so the two never wait for each other's lock; the lock file
//! and the download of libc are the outer one's, so it needs no network.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Settings of the outer build that must not reach the shim, such as coverage or a linter in the compiler's place.
const RESET: [(&str, &str); 4] = [
    ("CARGO_ENCODED_RUSTFLAGS", ""),
    ("CARGO_INCREMENTAL", "0"),
    ("RUSTC_WRAPPER", ""),
    ("RUSTC_WORKSPACE_WRAPPER", ""),
];

fn main() -> Result<(), Box<dyn Error>> {
    let own = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let workspace = own.join("../..");
    let shim = own.join("shim");
    for input in
        [own.join("build.rs"), shim.clone(), workspace.join("Cargo.toml"), workspace.join("Cargo.lock")]
    {
        println!("cargo::rerun-if-changed={}", input.display());
    }
    let out = PathBuf::from(variable("OUT_DIR")?);
    let embedded = out.join("shim.so");
    let supported = variable("CARGO_CFG_TARGET_OS")? == "linux"
        && variable("CARGO_CFG_TARGET_ENV")? == "gnu"
        && matches!(variable("CARGO_CFG_TARGET_ARCH")?.as_str(), "x86_64" | "aarch64");
    if supported {
        fs::copy(build(&shim, &out.join("shim"))?, embedded)?;
    } else {
        // An empty one says that there is none for this system.
        fs::write(embedded, [])?;
    }
    Ok(())
}

/// Builds the shim into `folder`; its file.
fn build(shim: &Path, folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let target = variable("TARGET")?;
    let mut cargo = Command::new(variable("CARGO")?);
    cargo.args(["build", "--quiet", "--locked", "--offline", "--lib", "--profile", "shim", "--target"]);
    cargo.arg(&target);
    cargo.arg("--manifest-path").arg(shim.join("Cargo.toml")).arg("--target-dir").arg(folder);
    // The outer cargo holds the lock of a build folder that is set for all.
    cargo.env("CARGO_BUILD_BUILD_DIR", folder).env_remove("RUSTFLAGS").envs(RESET);
    let output = cargo.output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("the preload shim does not build ({}):\n{said}", output.status).into());
    }
    Ok(folder.join(target).join("shim/libsteady_preload_shim.so"))
}

fn variable(name: &str) -> Result<String, Box<dyn Error>> {
    env::var(name).map_err(|error| format!("{name}: {error}").into())
}
