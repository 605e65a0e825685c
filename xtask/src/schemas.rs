//! The JSON Schemas of the files that steady writes, generated from the types behind them.
//!
//! `suite.schema.json` beside them is written by hand: people write suites, and it says more than the types do.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::Value;
use steady_model::rerun::RerunReport;
use steady_model::{Envelope, Findings, Summary};

use crate::paths;

/// Writes those that are not current.
pub fn write() -> Result<()> {
    for (path, text) in all() {
        let is_current = fs::read_to_string(&path).is_ok_and(|written| written == text);
        if !is_current {
            fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))?;
        }
        println!("{} is {}", path.display(), if is_current { "current" } else { "written" });
    }
    Ok(())
}

/// Fails where one is not current.
pub fn check() -> Result<()> {
    for (path, text) in all() {
        let is_current = fs::read_to_string(&path).is_ok_and(|written| written == text);
        ensure!(is_current, "{} is not current: run `cargo xtask docs`", path.display());
    }
    Ok(())
}

fn all() -> Vec<(PathBuf, String)> {
    let folder = paths::root().join("crates").join("steady-model").join("schemas");
    let schemas = [
        ("findings", schema::<Findings>("steady findings", Findings::VERSION)),
        ("summary", schema::<Summary>("steady summary", Summary::VERSION)),
        ("rerun", schema::<RerunReport>("steady rerun report", RerunReport::VERSION)),
        ("event", schema::<Envelope>("steady event", Envelope::VERSION)),
    ];
    schemas.into_iter().map(|(name, text)| (folder.join(format!("{name}.schema.json")), text)).collect()
}

/// The schema of what a type is written as.
fn schema<T: JsonSchema>(title: &str, version: u32) -> String {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    schema["title"] = Value::from(format!("{title}, version {version}"));
    format!("{schema:#}\n")
}
