//! What reruns leave in files.

use std::io::{self, Write};
use std::path::Path;

use steady_model::rerun::RerunReport;

use super::{junit, sarif};
use crate::error::{CommandError, UserError};
use crate::output::{Placed, UnfinishedFile};
use crate::session::Session;
use crate::suite::files::edited;

/// The file the report is in.
pub const REPORT: &str = "rerun.json";

/// A file could not be written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be written as JSON.
    #[error("the report cannot be written as JSON")]
    Json(#[from] serde_json::Error),
    /// It cannot be written as XML.
    #[error("the report cannot be written as JUnit XML")]
    Junit(#[from] quick_junit::SerializeError),
    /// It cannot be written at all.
    #[error("the report cannot be written")]
    Write(#[from] io::Error),
}

impl UserError for FileError {}

/// Writes the report into the output folder.
pub fn write(session: &Session, report: &RerunReport, interrupted: bool) -> Result<(), CommandError> {
    let Some(folder) = session.folder() else { return Ok(()) };
    let mut text = serde_json::to_vec_pretty(report).map_err(FileError::from)?;
    text.push(b'\n');
    let placed = Placed { complete: !interrupted, tests: report.tests.len() };
    for kept in folder.place("rerun", &[(REPORT.to_owned(), text)], placed)? {
        session.warn(edited(&kept));
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
            finish(file, &junit::of_rerun(report).map_err(FileError::from)?)?;
        }
        if let Some(file) = self.sarif {
            sarif::of_rerun(report).write(file)?;
        }
        Ok(())
    }
}

fn finish(mut file: UnfinishedFile, text: &str) -> Result<(), CommandError> {
    file.write_all(text.as_bytes()).map_err(FileError::from)?;
    Ok(file.finish()?)
}
