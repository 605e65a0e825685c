//! Debian packages: which are missing, and installing them when that is possible.

use std::process::{Command, Stdio};

use anyhow::Result;

use crate::step::{Steps, written};

/// Installs the missing ones of `packages`, as root; otherwise prints what to run and continues. True when all are there.
pub fn ensure(packages: &[&str], steps: &mut Steps) -> Result<bool> {
    let missing: Vec<&str> = packages.iter().copied().filter(|package| !is_installed(package)).collect();
    if missing.is_empty() {
        println!("Debian packages: all there");
        return Ok(true);
    }
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes", "--no-install-recommends"]).args(&missing);
    install.env("DEBIAN_FRONTEND", "noninteractive");
    // Makes `invoke-rc.d` leave services alone: a package is installed for its files, not to run by itself.
    install.env("RUNLEVEL", "1");
    if !rustix::process::geteuid().is_root() || !exists("apt-get") {
        println!(
            "Debian packages: skipped, because only root on Debian can install them. What needs them will fail until"
        );
        println!("  {} is done", written(&install));
        return Ok(false);
    }
    steps.run("package lists", Command::new("apt-get").arg("update"))?;
    steps.run("packages", &mut install)?;
    Ok(true)
}

fn is_installed(package: &str) -> bool {
    let query =
        Command::new("dpkg-query").args(["--show", "--showformat=${db:Status-Status}", package]).output();
    query.is_ok_and(|output| output.stdout == b"installed")
}

fn exists(program: &str) -> bool {
    let mut probe = Command::new(program);
    probe.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    probe.status().is_ok_and(|status| status.success())
}
