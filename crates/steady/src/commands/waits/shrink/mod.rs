//! `steady waits tune --shrink`: shorter values for all waits of a file or folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Serialize;
use steady_js::repair::{Target, repair, without_unused_imports};
use steady_js::{Script, Wait};
use steady_model::Event;
use steady_waits::files::test_files;
use steady_waits::lint::is_before_denial;
use steady_waits::scripts::{ScriptFile, read_scripts};
use steady_waits::tune::drive::{PatchError, ShrinkTarget, Shrunk, TuneError, shrink};

use super::attempts::{Listener, Untuned, project, settings};
use super::fields;
use super::tune::report::shrunk_report;
use super::tune::{TuneArgs, TuneOptions, refuse_dirty};
use crate::error::{CommandError, ReadError, UsageError};
use crate::exit::Exit;
use crate::session::{Ended, Session};
use crate::ui::escape_lines;

/// Looks for shorter values, and shows or writes them.
pub(super) fn run(args: &TuneArgs, options: &TuneOptions, session: &Session) -> Result<Ended, CommandError> {
    let cancel = session.cancel();
    let at = args.at.as_ref().map_or(Path::new("."), |at| &at.path);
    if args.command.is_empty() {
        return Err(UsageError {
            message: "no command that runs the tests is given".to_owned(),
            hint: format!(
                "add it at the end: `steady waits tune --shrink {} -- npx playwright test`",
                at.display()
            ),
        }
        .into());
    }
    let immediate = cancel.exit_immediately();
    let found =
        test_files(at).map_err(|source| ReadError { what: "the tests", path: at.to_owned(), source })?;
    let named: Vec<PathBuf> =
        found.into_iter().map(|path| path.strip_prefix(".").map(Path::to_owned).unwrap_or(path)).collect();
    let (files, errors) = read_scripts(&named);
    errors.iter().for_each(|error| session.warn(format!("{error}; left out")));
    let line = args.at.as_ref().and_then(|at| at.line);
    let paid = paid(&files, line);
    let (denying, paid): (Vec<_>, Vec<_>) =
        paid.into_iter().partition(|wait| wait.is_before_denial && wait.uses > 1);
    for wait in &denying {
        let place = format!("{}:{}", wait.file.path.display(), wait.line);
        session.note(format!(
            "{place} stays: its value is used more than once, and once before a line that demands that something is not so, which would hold too early"
        ));
    }
    if paid.is_empty() {
        return Err(UsageError {
            message: format!("no sleep of the tests at `{}` could be shorter", at.display()),
            hint: "time limits of calls that poll cost nothing when the test passes; `steady waits lint` lists all waits"
                .to_owned(),
        }
        .into());
    }
    if args.write {
        for wait in &paid {
            refuse_dirty(&wait.file.path, args.allow_dirty)?;
        }
    }
    let patches: Vec<_> =
        paid.iter().map(|wait| move |text: &str, ms: u64| wait.shortened(text, ms)).collect();
    let tidies: Vec<_> = paid.iter().map(|wait| |text: String| tidied(wait.file, text)).collect();
    let targets: Vec<ShrinkTarget<'_>> = paid
        .iter()
        .zip(patches.iter().zip(&tidies))
        .map(|(wait, (patch, tidy))| ShrinkTarget {
            path: &wait.file.path,
            line: wait.line,
            column: wait.column,
            ms: wait.ms,
            tests: &wait.tests,
            denies: wait.is_before_denial,
            patch,
            tidy,
        })
        .collect();
    drop(immediate);
    let mut listener = Listener::new(session, at, 1);
    let shrunk = shrink(&project(args, options, cancel), &targets, &settings(options, None), &mut |event| {
        listener.hear(&event);
    });
    listener.finish();
    let shrunk = shrunk.map_err(Untuned::from)?;
    let changed = changed(&files, &paid, &shrunk)?;
    let patch: String = changed
        .iter()
        .map(|(file, text)| steady_assertions::diff(&file.path, file.script.text(), text))
        .collect();
    let written = args.write && shrunk.verified && !changed.is_empty();
    if written {
        for (file, text) in &changed {
            steady_assertions::write(&file.path, file.script.text(), text)?;
            session.emit(Event::FileWritten { path: file.path.display().to_string() });
        }
    }
    let exit = match &shrunk {
        shrunk if shrunk.interrupted => Exit::Error,
        _ => Exit::Clean,
    };
    let result = ShrinkResult { candidates: [], shrunk: &shrunk, patch: &patch, written };
    session.emit(Event::WaitsTuned { result: fields(&result) });
    let ending = match (written, patch.is_empty()) {
        (true, _) => "Wrote the files\n",
        (false, true) => "",
        (false, false) if args.write => "Nothing is written: the runs do not support it\n",
        (false, false) => "Apply this with --write\n",
    };
    let report = format!("\n{}\n{}{ending}", shrunk_report(&shrunk), escape_lines(&patch));
    Ok(Ended { interrupted: shrunk.interrupted, ..Ended::with(exit, report) })
}

/// A sleep that every run pays for.
struct Paid<'a> {
    file: &'a ScriptFile,
    line: usize,
    column: usize,
    ms: u64,
    /// The titles of the tests it is in; none: it is used outside of tests too.
    tests: Vec<String>,
    /// Whether a use of it is followed by a demand that something is not so.
    is_before_denial: bool,
    /// How often its value is used.
    uses: usize,
}

impl Paid<'_> {
    /// The text of the file with this wait another length; other waits may have changed, behind it or on other lines.
    fn shortened(&self, text: &str, ms: u64) -> Result<String, PatchError> {
        let script = Script::read_with(&self.file.path, text, &self.file.known)?;
        Ok(repair(&script, &Target::near(&script, self.line, Some(self.column))?, ms)?.text)
    }
}

/// The waits that every run pays for, each value once however often it is used.
fn paid(files: &[ScriptFile], line: Option<usize>) -> Vec<Paid<'_>> {
    let mut found = Vec::new();
    for file in files {
        // Nobody pays for a sleep that nothing waits for.
        let is_paid = |wait: &&Wait| wait.kind.is_paid() && wait.awaited && wait.ms() > Some(0);
        let waits = file.script.waits().iter().filter(is_paid);
        let mut uses: BTreeMap<(usize, usize), Vec<&Wait>> = BTreeMap::new();
        for wait in waits {
            let span = wait.value.as_ref().map_or((0, 0), |value| (value.span.start, value.span.end));
            uses.entry(span).or_default().push(wait);
        }
        for waits in uses.into_values() {
            let Some(wait) = waits.iter().find(|wait| line.is_none_or(|line| line == wait.line)) else {
                continue;
            };
            let tests: Option<BTreeSet<String>> = waits.iter().map(|wait| wait.test.clone()).collect();
            found.push(Paid {
                file,
                line: wait.line,
                column: wait.column,
                ms: wait.ms().unwrap_or_default(),
                tests: tests.into_iter().flatten().collect(),
                uses: waits.len(),
                is_before_denial: waits.iter().any(|wait| is_before_denial(&file.script, wait)),
            });
        }
    }
    found
}

/// The files that change, with their new texts.
fn changed<'a>(
    files: &'a [ScriptFile],
    paid: &[Paid<'_>],
    shrunk: &Shrunk,
) -> Result<Vec<(&'a ScriptFile, String)>, CommandError> {
    let mut texts: BTreeMap<&Path, String> = BTreeMap::new();
    let mut shorter: Vec<_> = shrunk.waits.iter().filter(|wait| wait.after < wait.before).collect();
    // From the end: a shorter number moves what follows it on its line.
    shorter.sort_by_key(|wait| std::cmp::Reverse((wait.line, wait.column)));
    for wait in shorter {
        let place = (&wait.path, wait.line, wait.column);
        let Some(sleep) = paid.iter().find(|sleep| (&sleep.file.path, sleep.line, sleep.column) == place)
        else {
            continue;
        };
        let path = &sleep.file.path;
        let text = texts.entry(path).or_insert_with(|| sleep.file.script.text().to_owned());
        *text = sleep.shortened(text, wait.after).map_err(|source| {
            Untuned::from(TuneError::Patch { path: path.clone(), ms: wait.after, source })
        })?;
    }
    let changed = files.iter().filter_map(|file| Some((file, texts.remove(file.path.as_path())?)));
    Ok(changed.map(|(file, text)| (file, tidied(file, text))).collect())
}

/// The changed text of a file without the imports that the change left without a use.
fn tidied(file: &ScriptFile, text: String) -> String {
    without_unused_imports(&file.script, &text).unwrap_or(text)
}

/// What programs get, in the last line.
#[derive(Debug, Serialize)]
struct ShrinkResult<'a> {
    /// Nothing is looked for elsewhere: the waits themselves are shortened.
    candidates: [(); 0],
    #[serde(flatten)]
    shrunk: &'a Shrunk,
    patch: &'a str,
    written: bool,
}
