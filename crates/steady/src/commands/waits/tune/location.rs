//! Which wait is meant.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use steady_js::Script;
use steady_process::Cancel;
use steady_waits::imports::with_imports;
use steady_waits::scripts::ScriptError;
use steady_waits::tune::drive::{Failing, failing};
use steady_waits::tune::sleep_before;
use steady_waits::{Location, fix_location, fix_location_in};

use super::{TuneArgs, TuneOptions};
use crate::commands::waits::attempts::{Untuned, project};
use crate::commands::waits::error::UnreadScript;
use crate::error::{CommandError, ReadError, UsageError};
use crate::ui::duration;

/// How often the command is run to see it fail, when that is to say where.
const RUNS: u32 = 20;
/// Waits listed when a file has several.
const LISTED: usize = 8;
/// How much of a failure's text is read.
const FAILURE: u64 = 4 << 20;

/// A line of a file of tests.
pub struct WaitLocation {
    /// The file, relative to the current folder.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// The column, where a stack tells.
    pub column: Option<usize>,
    /// The file as it is.
    pub script: Script,
    /// Why this line, unless it was named.
    pub why: Option<String>,
}

impl WaitLocation {
    /// The place that was named, or that a failure points at.
    pub fn find(args: &TuneArgs, options: &TuneOptions, cancel: &Cancel) -> Result<Self, CommandError> {
        let named = args.at.as_ref();
        if let Some(at) = named
            && let Some(line) = at.line
        {
            let location = Self::read(&at.path, line, None)?;
            let why = sleep_before(&location.script, line).map(|wait| {
                let here = format!("{}:{}", location.path.display(), wait.line);
                format!(
                    "line {} sleeps right before it: if that is too short, tune {here} instead",
                    wait.line
                )
            });
            return Ok(Self { why, ..location });
        }
        let file = named.map(|at| at.path.as_path());
        let found = match (&args.failure, args.command.is_empty(), file) {
            (Some(failure), _, file) => {
                let text = failure_in(failure)?;
                let here = Path::new(".");
                let of_file = file.and_then(|file| fix_location_in(&text, here, file));
                of_file.or_else(|| fix_location(&text, here))
            }
            (None, false, file) => failing_line(args, options, file, cancel)?,
            (None, true, Some(path)) => return Self::only_wait(path),
            (None, true, None) => return Err(nowhere().into()),
        };
        let Some(found) = found else {
            return Err(UsageError {
                message: "the failure's output names no line of this project".to_owned(),
                hint: "name the line: `steady waits tune FILE:LINE`".to_owned(),
            }
            .into());
        };
        let location = Self::read(&found.path, found.line, found.column)?;
        let why = location.explained(file);
        Ok(Self { why: Some(why), ..location }.or_sleep_before())
    }

    /// Why a line was taken from a failure.
    fn explained(&self, file: Option<&Path>) -> String {
        let place = format!("{}:{}", self.path.display(), self.line);
        let is_asked = |file: &Path| file.strip_prefix(".").unwrap_or(file) == self.path;
        match file {
            None => format!("{place} is the line of the project nearest to the failure"),
            Some(file) if is_asked(file) => {
                format!("{place} is the line of that file nearest to the failure")
            }
            Some(file) => format!(
                "the failure names no line of `{}`: {place} is the line of the project nearest to it",
                file.display()
            ),
        }
    }

    fn read(path: &Path, line: usize, column: Option<usize>) -> Result<Self, CommandError> {
        let script = read(path)?;
        let lines = script.text().lines().count();
        if line > lines {
            return Err(UsageError {
                message: format!("`{}` has {lines} lines, so there is no line {line}", path.display()),
                hint: "lines count from 1".to_owned(),
            }
            .into());
        }
        let path = path.strip_prefix(".").unwrap_or(path).to_owned();
        Ok(Self { path, line, column, script, why: None })
    }

    /// An assertion that fails right after a sleep says that the sleep is too short: that is the place, not the assertion.
    fn or_sleep_before(self) -> Self {
        match sleep_before(&self.script, self.line).map(|wait| (wait.line, wait.column)) {
            Some((line, column)) => {
                let sleep = format!("line {line} sleeps right before it and is what may be too short");
                let why = self.why.map(|why| format!("{why}; {sleep}"));
                Self { line, column: Some(column), why, ..self }
            }
            None => self,
        }
    }

    /// The file's one wait; if it has several, one has to be named.
    fn only_wait(path: &Path) -> Result<Self, CommandError> {
        let script = read(path)?;
        let waits: Vec<_> = script.waits().iter().filter(|wait| wait.value.is_some()).collect();
        let hint = match &waits[..] {
            [wait] => {
                let (line, column) = (wait.line, Some(wait.column));
                return Ok(Self { path: path.to_owned(), line, column, script, why: None });
            }
            [] => "name the line of a call that should wait longer: FILE:LINE".to_owned(),
            several => {
                let listed = several.iter().take(LISTED).map(|wait| {
                    format!("{} ({}, {})", wait.line, wait.callee, duration(wait.ms().unwrap_or_default()))
                });
                format!("name a line, FILE:LINE: {}", listed.collect::<Vec<_>>().join(", "))
            }
        };
        let count = if waits.is_empty() { "no waits".to_owned() } else { format!("{} waits", waits.len()) };
        Err(UsageError { message: format!("`{}` has {count}", path.display()), hint }.into())
    }
}

fn nowhere() -> UsageError {
    UsageError {
        message: "no line is given".to_owned(),
        hint:
            "name the line that flakes, `steady waits tune FILE:LINE`, or give the failure, `--failure FILE`"
                .to_owned(),
    }
}

/// Reads a file of tests; bytes that are no text would be lost when it is written.
pub fn read(path: &Path) -> Result<Script, CommandError> {
    let unread = |source| ReadError { what: "the test", path: path.to_owned(), source };
    let text = fs::read_to_string(path).map_err(unread)?;
    let script = Script::read(path, &text).map_err(|source| {
        CommandError::from(UnreadScript::from(ScriptError::Parse { path: path.to_owned(), text, source }))
    })?;
    Ok(with_imports(path, script))
}

/// What a runner printed, from a file or standard input.
fn failure_in(file: &Path) -> Result<String, CommandError> {
    let unread = |source| ReadError { what: "the failure", path: file.to_owned(), source };
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        io::stdin().take(FAILURE).read_to_end(&mut bytes).map_err(unread)?;
    } else {
        fs::File::open(file).and_then(|file| file.take(FAILURE).read_to_end(&mut bytes)).map_err(unread)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The line where the command fails, in a copy of the project.
fn failing_line(
    args: &TuneArgs,
    options: &TuneOptions,
    file: Option<&Path>,
    cancel: &Cancel,
) -> Result<Option<Location>, CommandError> {
    let message = match failing(&project(args, options, cancel), file, RUNS).map_err(Untuned::from)? {
        Failing::At(location) => return Ok(Some(location)),
        Failing::Nowhere => return Ok(None),
        Failing::Never => {
            format!("the command passed {RUNS} times, so no failure says which line to look at")
        }
        Failing::Interrupted => "interrupted before a failure said which line to look at".to_owned(),
    };
    let hint = "name the line: `steady waits tune FILE:LINE -- CMD`".to_owned();
    Err(UsageError { message, hint }.into())
}
