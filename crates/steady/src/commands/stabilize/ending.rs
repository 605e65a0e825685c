//! The end of `steady stabilize`: events or a report, and SARIF.

use std::path::Path;

use steady_model::{Event, Findings, Flaky};

use super::report::StabilizeReport;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::output::UnfinishedFile;
use crate::sarif;
use crate::session::{Ended, Session};

/// Makes sure, before the first run, that the findings will not be lost for want of a place.
pub(super) fn check_sarif(target: Option<&Path>) -> Result<(), CommandError> {
    Ok(target.map(UnfinishedFile::create).transpose().map(drop)?)
}

/// The end, and how it came.
pub(super) fn finish(
    session: &Session,
    report: &StabilizeReport<'_>,
    written: &[String],
    sarif: Option<&Path>,
) -> Result<Ended, CommandError> {
    let exit = match report {
        report if report.interrupted => Exit::Error,
        report if report.is_clean() => Exit::Clean,
        _ => Exit::Findings,
    };
    if let Some(target) = sarif {
        let file = UnfinishedFile::create(target)?;
        sarif::of_findings(&findings(report.flaky), report.path).write(file)?;
    }
    for flaky in report.flaky {
        session.emit(Event::FlakyFound { flaky: Box::new(flaky.clone()) });
    }
    for path in written {
        session.emit(Event::FileWritten { path: path.clone() });
    }
    let text = report.render(session.shared().verbosity);
    Ok(Ended { interrupted: report.interrupted, ..Ended::with(exit, text) })
}

fn findings(flaky: &[Flaky]) -> Findings {
    Findings { version: Findings::VERSION, flaky: flaky.to_vec(), faults: Vec::new(), externals: Vec::new() }
}
