//! What comparing costs: the figures of steady-flaky's example `compare_speed`.

use std::process::Stdio;

use anyhow::Result;

use crate::step::{Steps, cargo};

/// The example's lines.
pub fn measure() -> Result<Vec<String>> {
    let mut lines = Vec::new();
    let mut command = cargo(&["run", "--release", "--package", "steady-flaky", "--example", "compare_speed"]);
    Steps::default().watch("compare", command.stdout(Stdio::piped()), |line| {
        lines.push(line.split_whitespace().collect::<Vec<_>>().join(" "));
    })?;
    Ok(lines)
}
