//! `cargo xtask setup`: what the tests need on a fresh machine.
//!
//! Debian packages are named in `debian-packages.txt`; the runners of the emitted suites (pytest, Jest, Playwright, Maven,
//! hurl) belong to steady-testkit, whose tests use them, and are installed by its `setup-runners`.

use anyhow::Result;

use crate::debian;
use crate::step::{Steps, cargo};

const PACKAGES: &str = include_str!("../debian-packages.txt");

/// Runs the chore on its own.
pub fn run() -> Result<()> {
    let mut steps = Steps::default();
    steps_into(&mut steps)?;
    steps.print_summary();
    Ok(())
}

/// Runs the chore as the first part of another.
pub fn steps_into(steps: &mut Steps) -> Result<()> {
    debian::ensure(&PACKAGES.lines().collect::<Vec<_>>(), steps)?;
    steps.run("test runners", &mut cargo(&["run", "--package", "steady-testkit", "--bin", "setup-runners"]))
}
