//! The files of a run.

use std::path::Path;

use serde::Serialize;
use steady_emit::Emitter;
use steady_model::{Findings, Suite, Summary};

use crate::error::{CommandError, UserError};
use crate::output::{OutputFolder, UnfinishedFile};

/// A result could not be put into words.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {name}")]
struct SerializeError {
    name: &'static str,
    source: serde_json::Error,
}

impl UserError for SerializeError {}

impl UserError for steady_emit::EmitError {}

/// Writes suite, findings, figures and test code; yields the files' names.
pub fn write(
    folder: &OutputFolder,
    suite: &Suite,
    findings: &Findings,
    summary: &Summary,
    emitters: &[Emitter],
) -> Result<Vec<String>, CommandError> {
    let mut written = Vec::new();
    json(folder, "suite.json", suite)?;
    json(folder, "findings.json", findings)?;
    json(folder, "summary.json", summary)?;
    written.extend(["suite.json", "findings.json", "summary.json"].map(str::to_owned));
    let mut tests: Vec<(String, String)> = Vec::new();
    for emitter in emitters {
        let files = steady_emit::emit(suite, *emitter)?;
        tests.extend(files.into_iter().map(|file| (format!("{emitter}/{}", file.path), file.text)));
    }
    folder.replace_folder("tests", tests.iter().map(|(path, text)| (path.as_str(), text.as_bytes())))?;
    written.extend(tests.into_iter().map(|(path, _)| format!("tests/{path}")));
    Ok(written)
}

fn json(folder: &OutputFolder, name: &'static str, value: &impl Serialize) -> Result<(), CommandError> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|source| SerializeError { name, source })?;
    bytes.push(b'\n');
    folder.write(name, &bytes)?;
    Ok(())
}
