//! What comparing costs: the figures of `cargo xtask bench part compare`.

use std::process::Stdio;

use anyhow::Result;

use super::super::part::{self, Part};
use crate::step::Steps;

/// The lines it prints.
pub fn measure() -> Result<Vec<String>> {
    let mut lines = Vec::new();
    let mut command = part::command(Part::Compare);
    Steps::default().watch("compare", command.stdout(Stdio::piped()), |line| {
        lines.push(line.split_whitespace().collect::<Vec<_>>().join(" "));
    })?;
    Ok(lines)
}
