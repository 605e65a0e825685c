//! What reruns leave in files.

use std::path::Path;
use std::time::Duration;

use steady_model::rerun::RerunReport;

use super::{junit, sarif};
use crate::error::{CommandError, UserError};
use crate::output::{Placed, UnfinishedFile, edited_warning};
use crate::session::Session;

/// The file the report is in.
pub const REPORT: &str = "rerun.json";

/// The report cannot be written as JSON.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {REPORT}")]
struct JsonError(#[source] serde_json::Error);

impl UserError for JsonError {}

/// Writes the report into the output folder.
pub fn write(session: &Session, report: &RerunReport, interrupted: bool) -> Result<(), CommandError> {
    let Some(folder) = session.folder() else { return Ok(()) };
    let mut text = serde_json::to_vec_pretty(report).map_err(JsonError)?;
    text.push(b'\n');
    let placed = Placed { complete: !interrupted, tests: report.tests.len() };
    for kept in folder.place("rerun", &[(REPORT.to_owned(), text)], placed)? {
        session.warn(edited_warning(&kept));
    }
    session.wrote(Path::new(REPORT));
    Ok(())
}

/// Files beside the output folder, claimed before there is something to write.
pub struct Extras {
    junit: Option<UnfinishedFile>,
    sarif: Option<UnfinishedFile>,
}

impl Extras {
    /// Fails at once when a file could not be written later.
    pub fn claim(junit: Option<&Path>, sarif: Option<&Path>) -> Result<Self, CommandError> {
        Ok(Self {
            junit: junit.map(UnfinishedFile::create).transpose()?,
            sarif: sarif.map(UnfinishedFile::create).transpose()?,
        })
    }

    /// Writes what was asked for.
    pub fn write(self, report: &RerunReport) -> Result<(), CommandError> {
        if let Some(file) = self.junit {
            let elapsed = Duration::try_from_secs_f64(report.seconds).unwrap_or_default();
            crate::junit::write(file, junit::suite(report), elapsed)?;
        }
        if let Some(file) = self.sarif {
            sarif::of_rerun(report).write(file)?;
        }
        Ok(())
    }
}
