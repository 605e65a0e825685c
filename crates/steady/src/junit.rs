//! Results as JUnit XML: what `run` and `rerun` share.

use std::io::{self, Write as _};
use std::time::Duration;

use quick_junit::{Report, SerializeError, TestSuite};

use crate::error::{CommandError, UserError};
use crate::output::UnfinishedFile;

/// The file cannot be written.
#[derive(Debug, thiserror::Error)]
enum JunitError {
    #[error("cannot write the results as JUnit XML")]
    Serialize(#[from] SerializeError),
    #[error("cannot write the JUnit file")]
    Write(#[from] io::Error),
}

impl UserError for JunitError {}

/// The XML of a suite that took this long.
pub fn xml(mut suite: TestSuite, elapsed: Duration) -> Result<String, SerializeError> {
    suite.set_time(elapsed);
    let mut report = Report::new("steady");
    report.set_time(elapsed);
    report.add_test_suite(suite);
    report.to_string()
}

/// Writes the XML of a suite that took this long.
pub fn write(mut file: UnfinishedFile, suite: TestSuite, elapsed: Duration) -> Result<(), CommandError> {
    let xml = xml(suite, elapsed).map_err(JunitError::from)?;
    file.write_all(xml.as_bytes()).map_err(JunitError::from)?;
    Ok(file.finish()?)
}
