//! The files of a run.

use std::path::Path;

use serde::Serialize;
use steady_emit::Emitter;
use steady_model::{ApiInfo, Findings, Suite, Summary};

use crate::error::{CommandError, UserError};
use crate::output::{OutputError, OutputFolder, Placed, edited_warning};
use crate::session::Session;

/// The kind of result these files are.
pub const FUZZ: &str = "fuzz";
/// The file that marks what `steady fuzz` wrote.
pub const SUITE: &str = "suite.json";
/// The file with faults and flaky values.
pub const FINDINGS: &str = "findings.json";
/// The file with the figures.
pub const SUMMARY: &str = "summary.json";

/// A result cannot be written as JSON.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {name}")]
struct SerializeError {
    name: &'static str,
    source: serde_json::Error,
}

impl UserError for SerializeError {}

impl UserError for steady_emit::EmitError {}

/// What a run found.
#[derive(Debug, Clone, Copy)]
pub struct Found<'a> {
    /// The tests.
    pub suite: &'a Suite,
    /// What is wrong with the API.
    pub findings: &'a Findings,
    /// The figures.
    pub summary: &'a Summary,
    /// Whether the run came to its end.
    pub complete: bool,
}

/// Claims the output folder: a file in the way of a result is an error before the run, not after it.
pub fn claim(session: &mut Session, emitters: &[Emitter]) -> Result<(), CommandError> {
    let api = ApiInfo { title: String::new(), url: String::new() };
    let empty = Suite { version: Suite::VERSION, api, seed: 0, identities: Vec::new(), tests: Vec::new() };
    // The files that every suite has; those for its own tests are checked when they are written.
    let tests = test_code(&empty, emitters)?;
    let names = [SUITE, FINDINGS, SUMMARY].into_iter().chain(tests.iter().map(|(name, _)| name.as_str()));
    session.claim_output(&names.collect::<Vec<_>>())
}

/// Writes suite, findings, figures and test code. A run that was cut short goes beside an earlier complete result.
pub fn write(session: &Session, found: Found<'_>, emitters: &[Emitter]) -> Result<(), CommandError> {
    let Some(folder) = session.folder() else { return Ok(()) };
    let mut files = vec![
        (SUITE.to_owned(), json(SUITE, found.suite)?),
        (FINDINGS.to_owned(), json(FINDINGS, found.findings)?),
        (SUMMARY.to_owned(), json(SUMMARY, found.summary)?),
    ];
    files.extend(test_code(found.suite, emitters)?);
    let placed = Placed { complete: found.complete, tests: found.suite.tests.len() };
    if folder.prefers_earlier(FUZZ, placed) {
        folder.keep_earlier();
        session.warn(format!(
            "the run was cut short, so the earlier suite in `{}` is kept; what this run found is in `{}`",
            folder.path().display(),
            folder.place_of_results().display()
        ));
    }
    let kept = match folder.place(FUZZ, &files, placed) {
        Err(OutputError::Clash { path, .. }) => return Err(save_beside(folder, &files, placed, path)),
        result => result?,
    };
    kept.iter().for_each(|kept| session.warn(edited_warning(kept)));
    files.iter().for_each(|(name, _)| session.wrote(Path::new(name)));
    Ok(())
}

/// Saves what a run found although a file that is not steady's is in its way.
fn save_beside(
    folder: &OutputFolder,
    files: &[(String, Vec<u8>)],
    placed: Placed,
    path: std::path::PathBuf,
) -> CommandError {
    folder.keep_earlier();
    let saved = folder.place(FUZZ, files, placed).is_ok().then(|| folder.place_of_results());
    OutputError::Clash { path, saved }.into()
}

/// The suite as test code, with its path in the output folder.
pub fn test_code(suite: &Suite, emitters: &[Emitter]) -> Result<Vec<(String, Vec<u8>)>, CommandError> {
    let mut files = Vec::new();
    for emitter in emitters {
        let code = steady_emit::emit(suite, *emitter)?;
        files.extend(
            code.into_iter().map(|file| (format!("tests/{emitter}/{}", file.path), file.text.into_bytes())),
        );
    }
    Ok(files)
}

fn json(name: &'static str, value: &impl Serialize) -> Result<Vec<u8>, CommandError> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|source| SerializeError { name, source })?;
    bytes.push(b'\n');
    Ok(bytes)
}
