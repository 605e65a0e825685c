//! `steady waits tune --shrink`: shorter values for all sleeps of a file or folder.

mod report;

use std::path::{Path, PathBuf};

use serde::Serialize;
use steady_model::Event;
use steady_waits::files::test_files;
use steady_waits::scripts::{ScriptFile, read_scripts};
use steady_waits::tune::drive::{Shrunk, shrink_plan};
use steady_waits::tune::{BlockingSleep, ChangedFile, ShrinkPlan};

use super::attempts::{AttemptReporter, Untuned, project, settings};
use super::tune::{TuneArgs, TuneOptions, refuse_dirty};
use super::{fields, shown_path};
use crate::error::{CommandError, ReadError, UsageError};
use crate::exit::Exit;
use crate::session::{Ended, Session};

/// Looks for shorter values, and shows or writes them.
pub fn run(args: &TuneArgs, options: &TuneOptions, session: &Session) -> Result<Ended, CommandError> {
    let path = args.at.as_ref().map_or(Path::new("."), |at| &at.path);
    let line = args.at.as_ref().and_then(|at| at.line);
    check_command(args, path)?;
    let immediate = session.cancel().exit_immediately();
    let files = read(path, session)?;
    let plan = ShrinkPlan::new(&files, line);
    plan.kept.iter().for_each(|sleep| session.note(stays(sleep)));
    check_plan(&plan, args, path)?;
    drop(immediate);
    let mut reporter = AttemptReporter::new(session, path, 1);
    let project = project(args, options, session.cancel());
    let shrunk =
        shrink_plan(&project, &plan, &settings(options, None), &mut |event| reporter.on_event(&event));
    reporter.finish();
    let shrunk = shrunk.map_err(Untuned::from)?;
    let changed = plan.changed_files(&shrunk.waits).map_err(Untuned::from)?;
    let written = args.write && shrunk.verified && !changed.is_empty();
    if written {
        write(&changed, session)?;
    }
    let diff = |changed: &ChangedFile<'_>| {
        steady_edit::diff(&changed.file.path, changed.file.script.text(), &changed.text)
    };
    let patch: String = changed.iter().map(diff).collect();
    let result = ShrinkResult { candidates: [], shrunk: &shrunk, patch: &patch, written };
    session.emit(Event::WaitsTuned { result: fields(&result) });
    let exit = if shrunk.interrupted { Exit::Error } else { Exit::Clean };
    let report = report::render(&shrunk, &patch, args.write, written);
    Ok(Ended { interrupted: shrunk.interrupted, ..Ended::with(exit, report) })
}

fn check_command(args: &TuneArgs, path: &Path) -> Result<(), UsageError> {
    if !args.command.is_empty() {
        return Ok(());
    }
    Err(UsageError {
        message: "no test command is given".to_owned(),
        hint: format!(
            "add it at the end: `steady waits tune --shrink {} -- npx playwright test`",
            path.display()
        ),
    })
}

/// The test files at a path. Those that cannot be read are skipped, with a warning.
fn read(path: &Path, session: &Session) -> Result<Vec<ScriptFile>, CommandError> {
    let found =
        test_files(path).map_err(|source| ReadError { what: "the tests", path: path.to_owned(), source })?;
    let found: Vec<PathBuf> = found.into_iter().map(shown_path).collect();
    let (files, errors) = read_scripts(&found);
    errors.iter().for_each(|error| session.warn(format!("{error}; skipped")));
    Ok(files)
}

fn stays(sleep: &BlockingSleep<'_>) -> String {
    format!(
        "{}:{} stays: its value is used more than once, and a negative assertion follows one of the uses, which would pass too early",
        sleep.file.path.display(),
        sleep.line
    )
}

/// Whether there is something to shorten, and the files may be changed if that is asked for.
fn check_plan(plan: &ShrinkPlan<'_>, args: &TuneArgs, path: &Path) -> Result<(), CommandError> {
    if plan.sleeps.is_empty() {
        return Err(UsageError {
            message: format!("no sleep of the tests at `{}` can be shorter", path.display()),
            hint: "time limits of calls that poll cost nothing when the test passes; `steady waits lint` lists all waits"
                .to_owned(),
        }
        .into());
    }
    if args.write {
        plan.sleeps.iter().try_for_each(|sleep| refuse_dirty(&sleep.file.path, args.allow_dirty))?;
    }
    Ok(())
}

fn write(changed: &[ChangedFile<'_>], session: &Session) -> Result<(), CommandError> {
    for ChangedFile { file, text } in changed {
        steady_edit::write(&file.path, file.script.text(), text)?;
        session.wrote(&file.path);
    }
    Ok(())
}

/// The fields of the event for programs.
#[derive(Debug, Serialize)]
struct ShrinkResult<'a> {
    /// Nothing is looked for elsewhere: the waits themselves are shortened.
    candidates: [(); 0],
    #[serde(flatten)]
    shrunk: &'a Shrunk,
    patch: &'a str,
    written: bool,
}
