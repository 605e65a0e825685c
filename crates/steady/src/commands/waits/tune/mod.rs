//! `steady waits tune` for one wait.

mod args;
mod candidates;
mod location;
mod options;
mod proposal;
mod report;
mod survey;

use std::path::Path;

use serde::Serialize;
use steady_history::Repository;
use steady_js::Kind;
use steady_js::repair::{RepairError, Target};
use steady_model::Event;
use steady_waits::Candidate;
use steady_waits::locate::Located;
use steady_waits::tune::Verdict;
use steady_waits::tune::drive::Tuned;

pub use args::TuneArgs;
pub use options::{HISTORY_DEPTH, TuneOptions, milliseconds};
pub use report::{decided_line, found_line, purpose, times_line};

use super::{attempts, fields};
use crate::config::Config;
use crate::error::{CommandError, UsageError};
use crate::exit::Exit;
use crate::session::{Ended, Session};
use crate::ui::{self, Verbosity};
pub use location::WaitLocation;
use proposal::{Proposal, Unrepairable};
use survey::survey;

/// Ranks values for a wait, tries them when there is a command, and shows or writes the change.
pub fn run(
    args: &TuneArgs,
    config: &Config,
    options: &TuneOptions,
    session: &Session,
) -> Result<Ended, CommandError> {
    check_command(args)?;
    let location = WaitLocation::find(args, options, session.cancel())?;
    if let Some(why) = &location.why {
        session.note(why.clone());
    }
    if args.write {
        refuse_dirty(&location.path, args.allow_dirty)?;
    }
    let immediate = session.cancel().exit_immediately();
    let target = Target::near(&location.script, location.line, location.column);
    let target = target.map(|target| if args.pause { target.with_pause() } else { target });
    let located = survey(&location, target.as_ref().ok(), options, &config.store, session)?;
    let verbosity = session.shared().verbosity;
    if !session.is_json() && verbosity > Verbosity::Quiet {
        ui::print(&report::survey(&location, target.as_ref().ok(), &located, verbosity))?;
    }
    drop(immediate);
    let tuned = try_values(&location, &target, &located, args, options, session)?;
    let proposal = Proposal::new(&location, target, &located, tuned.as_ref(), args, session)?;
    let patch = proposal.patch(&location);
    let written = args.write && !patch.is_empty();
    if written {
        proposal.write(&location, session)?;
    }
    let advice = proposal.advice(&location);
    let result = TuneResult {
        target: TunedWait::of(&location, &located),
        candidates: &located.candidates,
        chosen: proposal.chosen(),
        patch: &patch,
        stop_gap: proposal.is_stop_gap(),
        advice: advice.as_deref(),
        written,
        tuned: tuned.as_ref(),
    };
    session.emit(Event::WaitsTuned { result: fields(&result) });
    let report = report::ending(&location, &result, proposal.shared_with(), args.command.is_empty());
    let interrupted = tuned.as_ref().is_some_and(|tuned| tuned.interrupted);
    Ok(Ended { interrupted, ..Ended::with(exit(&located, tuned.as_ref()), report) })
}

fn check_command(args: &TuneArgs) -> Result<(), UsageError> {
    if args.from.is_none() || !args.command.is_empty() {
        return Ok(());
    }
    Err(UsageError {
        message: "`--from` names a value to try, but no command is given".to_owned(),
        hint: "add the command that runs the test at the end: `steady waits tune FILE:LINE --from 2s -- npx vitest run FILE`"
            .to_owned(),
    })
}

/// Runs the test with the values, if there is a command and a value.
fn try_values(
    location: &WaitLocation,
    target: &Result<Target, RepairError>,
    located: &Located,
    args: &TuneArgs,
    options: &TuneOptions,
    session: &Session,
) -> Result<Option<Tuned>, CommandError> {
    if args.command.is_empty() {
        return Ok(None);
    }
    match target {
        Err(error) => Err(Unrepairable::new(location, error).into()),
        Ok(_) if located.candidates.is_empty() => Ok(None),
        Ok(target) => attempts::tune_wait(location, target, located, args, options, session).map(Some),
    }
}

/// What is not committed could not be taken back.
pub fn refuse_dirty(path: &Path, allow: bool) -> Result<(), CommandError> {
    if allow {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Without git there is nothing to compare with; the change is atomic in any case.
    let Ok(Some(repository)) = Repository::find(folder) else { return Ok(()) };
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if repository.is_dirty(&whole).unwrap_or(false) {
        return Err(UsageError {
            message: format!("`{}` has changes that are not committed; nothing is written", path.display()),
            hint: "commit or stash them, or add --allow-dirty".to_owned(),
        }
        .into());
    }
    Ok(())
}

fn exit(located: &Located, tuned: Option<&Tuned>) -> Exit {
    match tuned.map(|tuned| tuned.verdict) {
        None if located.candidates.is_empty() => Exit::Findings,
        None | Some(Verdict::Held { .. } | Verdict::Kept { .. } | Verdict::NotFlaky) => Exit::Clean,
        Some(Verdict::NoneHeld | Verdict::Flaky) => Exit::Findings,
        Some(Verdict::Unfinished { .. }) => Exit::Error,
    }
}

/// The fields of the event for programs.
#[derive(Debug, Serialize)]
struct TuneResult<'a> {
    target: TunedWait<'a>,
    candidates: &'a [Candidate],
    chosen: Option<u64>,
    patch: &'a str,
    stop_gap: bool,
    advice: Option<&'a str>,
    written: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    tuned: Option<&'a Tuned>,
}

#[derive(Debug, Serialize)]
struct TunedWait<'a> {
    path: &'a Path,
    line: usize,
    /// Why this line, unless it was named.
    why: Option<&'a str>,
    kind: Kind,
    ms: Option<u64>,
    call: Option<String>,
}

impl<'a> TunedWait<'a> {
    fn of(location: &'a WaitLocation, located: &Located) -> Self {
        Self {
            path: &location.path,
            line: location.line,
            why: location.why.as_deref(),
            kind: located.kind,
            ms: located.target.old_ms(),
            call: located.target.wait().map(steady_js::Wait::call_name),
        }
    }
}
