//! `steady merge` of what `steady fuzz` wrote: one small suite of all that shards found.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use steady_fuzz::Ending;
use steady_fuzz::join::{JoinError, Results, join};
use steady_model::{Event, OperationId};

use super::{Kind, MergeArgs, read};
use crate::commands::fuzz::{FuzzReport, emitters, exit_of};
use crate::error::{CommandError, UserError};
use crate::session::{Ended, Session};
use crate::suite::files::{self, FINDINGS, Found, SUITE, SUMMARY};
use crate::{shards, suite};

impl UserError for JoinError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Nothing => Some("name the output folders of the shards".to_owned()),
            Self::DifferentApis { .. } => Some("merge only folders of the same API".to_owned()),
            Self::DifferentIdentities { .. } => {
                Some("give all shards the same headers and the same `--auth` file".to_owned())
            }
        }
    }
}

/// Joins what shards found, and says it as one machine would have.
pub fn run(session: &mut Session, args: &MergeArgs) -> Result<Ended, CommandError> {
    // Nothing is known before all is read: until something is written, a signal need not wait.
    let immediate = session.cancel().exit_immediately();
    let all = args.folders.iter().map(|folder| results(folder)).collect::<Result<Vec<_>, _>>()?;
    let parts: Vec<_> = all.iter().filter_map(|results| results.summary.part).collect();
    let notes = shards::doubts(&parts, "operations");
    let joined = join(all)?;
    let emit = emitters(args.emit.clone());
    files::claim(session, &emit)?;
    // The joined folder can be joined again: its events say what the shards saw.
    for (operation, status) in &joined.reached {
        session.emit(Event::StatusReached { operation: operation.clone(), status: *status });
    }
    notes.into_iter().for_each(|message| session.warn(message));
    let found =
        Found { suite: &joined.suite, findings: &joined.findings, summary: &joined.summary, complete: true };
    drop(immediate);
    files::write(session, found, &emit)?;
    let next = format!("steady run {}", session.out().join(SUITE).display());
    let report = FuzzReport {
        title: &joined.suite.api.title,
        summary: &joined.summary,
        findings: &joined.findings,
        unsuccessful: &unsuccessful(&joined.reached),
        out: &session.out(),
        emitted: &emit,
        ending: &Ending::Complete,
        next: Some(&next),
    };
    Ok(Ended {
        exit: exit_of(&joined.findings),
        report: report.render(session.shared().verbosity),
        summary: Some(Box::new(joined.summary.clone())),
        ..Ended::default()
    })
}

fn results(folder: &Path) -> Result<Results, CommandError> {
    Ok(Results {
        suite: suite::load(folder)?,
        findings: read::json(Kind::Fuzz, &folder.join(FINDINGS), "the findings")?,
        summary: read::json(Kind::Fuzz, &folder.join(SUMMARY), "the figures")?,
        reached: reached(folder)?,
    })
}

/// The statuses a shard saw, from its events.
fn reached(folder: &Path) -> Result<BTreeSet<(OperationId, u16)>, CommandError> {
    let mut reached = BTreeSet::new();
    read::events(Kind::Fuzz, folder, |event| {
        if let Event::StatusReached { operation, status } = event {
            reached.insert((operation, status));
        }
    })?;
    Ok(reached)
}

/// Operations that were answered, but never with a 2xx.
fn unsuccessful(reached: &BTreeSet<(OperationId, u16)>) -> Vec<(OperationId, Vec<u16>)> {
    let mut statuses: BTreeMap<&OperationId, Vec<u16>> = BTreeMap::new();
    for (operation, status) in reached {
        statuses.entry(operation).or_default().push(*status);
    }
    let failed = |statuses: &[u16]| !statuses.iter().any(|status| (200..300).contains(status));
    statuses
        .into_iter()
        .filter(|(_, statuses)| failed(statuses))
        .map(|(operation, statuses)| (operation.clone(), statuses))
        .collect()
}
