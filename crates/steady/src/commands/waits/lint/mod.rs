//! `steady waits lint`.

mod args;
mod baseline;
mod fix;
mod history;
mod listing;
mod report;
mod sarif;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use steady_js::Wait;
use steady_model::Event;
use steady_waits::configured::Configured;
use steady_waits::files::test_files;
use steady_waits::lint::{Complaint, Context, Rule, cost, lint};
use steady_waits::scripts::{ScriptError, ScriptFile, read_scripts};

pub use args::LintArgs;

use super::error::UnreadScript;
use super::{fields, shown_path};
use crate::config::Config;
use crate::error::{CommandError, ReadError, UsageError};
use crate::exit::Exit;
use crate::output::UnfinishedFile;
use crate::session::{Ended, Session};
use crate::suggest;
use crate::ui::counted;
use baseline::Baseline;
use listing::{Linted, listed, listed_waits};
use report::{LintedFile, lint_report};

/// Reads the test files and reports their waits.
pub fn run(args: &LintArgs, config: &Config, session: &Session) -> Result<Ended, CommandError> {
    let allowed = allowed(if args.allow.is_empty() { &config.waits.allow } else { &args.allow })?;
    let sarif = args.sarif.as_deref().map(UnfinishedFile::create).transpose()?;
    let known = match &args.baseline {
        Some(path) if !args.create_baseline => Some(Baseline::read(path)?),
        _ => None,
    };
    let (files, unread) = read(&args.paths, session)?;
    let mut complaints = complaints(&files, &allowed, args, config, session);
    if let (Some(path), true) = (&args.baseline, args.create_baseline) {
        return create_baseline(path, &files, &complaints, session);
    }
    let found = count(&complaints);
    if let Some(known) = known {
        hide_known(&files, &mut complaints, known, session);
    }
    if let Some(sarif) = sarif {
        sarif::of_complaints(&complaints.concat()).write(sarif)?;
    }
    let fixes = if args.fix { Some(fix::fixes(args, &files, &complaints, session)?) } else { None };
    let waits: Vec<Vec<Wait>> =
        files.iter().zip(&complaints).map(|(file, complaints)| listed_waits(file, complaints)).collect();
    let linted = linted_files(&files, &waits, &complaints);
    let result = Linted {
        waits: linted.iter().flat_map(listed).collect(),
        unread_files: unread,
        patch: fixes.as_ref().map(|fixes| fixes.patch.as_str()),
        written: fixes.as_ref().map(|fixes| fixes.written),
    };
    session.emit(Event::WaitsLinted { result: fields(&result) });
    let deleted = fixes.as_ref().filter(|fixes| fixes.written).map_or(0, |fixes| fixes.sleeps);
    let report = match &fixes {
        Some(fixes) => fixes.report(found),
        None => lint_report(&linted, unread, session.shared().verbosity),
    };
    Ok(Ended::with(exit(count(&complaints) - deleted, unread), report))
}

/// What is wrong with the waits of each file, by the rules that are not allowed to be broken.
fn complaints(
    files: &[ScriptFile],
    allowed: &BTreeSet<Rule>,
    args: &LintArgs,
    config: &Config,
    session: &Session,
) -> Vec<Vec<Complaint>> {
    let configured = Configured::above(files.iter().map(|file| file.path.as_path()));
    let mut context =
        Context::of(&files.iter().map(|file| &file.script).collect::<Vec<_>>()).configured(configured);
    let history = args.history.or(config.waits.history).is_none_or(|switch| switch.0);
    if history && !allowed.contains(&Rule::LongTimeout) {
        history::learn(&mut context, files, config, session);
    }
    let of_file = |file: &ScriptFile| {
        let mut complaints = lint(&file.script, &file.path, &context);
        complaints.retain(|complaint| !allowed.contains(&complaint.rule));
        complaints
    };
    files.iter().map(of_file).collect()
}

fn count(complaints: &[Vec<Complaint>]) -> usize {
    complaints.iter().map(Vec::len).sum()
}

/// Removes what the baseline lists.
fn hide_known(
    files: &[ScriptFile],
    complaints: &mut [Vec<Complaint>],
    mut known: Baseline,
    session: &Session,
) {
    let found = count(complaints);
    for (file, complaints) in files.iter().zip(complaints.iter_mut()) {
        complaints.retain(|complaint| !known.takes(&file.path, complaint.rule.name(), code(file, complaint)));
    }
    note_baseline(found, complaints, &known, session);
}

fn linted_files<'a>(
    files: &'a [ScriptFile],
    waits: &'a [Vec<Wait>],
    complaints: &'a [Vec<Complaint>],
) -> Vec<LintedFile<'a>> {
    let linted =
        |((file, waits), complaints): ((&'a ScriptFile, &'a Vec<Wait>), &'a Vec<Complaint>)| LintedFile {
            path: &file.path,
            waits,
            unread: file.script.unread_waits(),
            complaints,
            cost: cost(&file.script),
        };
    files.iter().zip(waits).zip(complaints).map(linted).collect()
}

fn exit(findings: usize, unread: usize) -> Exit {
    match findings {
        // What waits in a file that was not read is not known.
        0 if unread > 0 => Exit::Error,
        0 => Exit::Clean,
        _ => Exit::Findings,
    }
}

/// The line that a finding is about.
fn code<'f>(file: &'f ScriptFile, complaint: &Complaint) -> &'f str {
    file.script.line_text(complaint.line).unwrap_or_default()
}

/// Writes everything that is found as known.
fn create_baseline(
    path: &Path,
    files: &[ScriptFile],
    complaints: &[Vec<Complaint>],
    session: &Session,
) -> Result<Ended, CommandError> {
    let mut baseline = Baseline::empty(path);
    for (file, complaints) in files.iter().zip(complaints) {
        for complaint in complaints {
            baseline.add(&file.path, complaint.rule.name(), code(file, complaint));
        }
    }
    baseline.write(path)?;
    session.emit(Event::FileWritten { path: path.display().to_string() });
    let count = counted(baseline.left(), "finding");
    Ok(Ended::with(Exit::Clean, format!("Wrote {} with {count}\n", path.display())))
}

fn note_baseline(found: usize, complaints: &[Vec<Complaint>], known: &Baseline, session: &Session) {
    let new = count(complaints);
    session.note(format!("{} known from the baseline, {new} new", counted(found - new, "finding")));
    if known.left() > 0 {
        session.note(format!(
            "{} of the baseline {} no longer found: --create-baseline updates it",
            counted(known.left(), "finding"),
            if known.left() == 1 { "is" } else { "are" }
        ));
    }
}

/// The rules that are not to be kept.
fn allowed(names: &[String]) -> Result<BTreeSet<Rule>, UsageError> {
    let rule = |name: &String| {
        Rule::ALL.into_iter().find(|rule| rule.name() == name).ok_or_else(|| {
            let known = Rule::ALL.map(Rule::name);
            let hint = match suggest::closest(name, known) {
                Some(close) => format!("did you mean `{close}`?"),
                None => format!("known are {}", known.join(", ")),
            };
            UsageError { message: format!("unknown rule `{name}`"), hint }
        })
    };
    names.iter().map(rule).collect()
}

/// The scripts below the paths, and how many could not be read. What is named has to be readable; what is found may be left out, and
/// is reported.
fn read(paths: &[PathBuf], session: &Session) -> Result<(Vec<ScriptFile>, usize), CommandError> {
    let here = [PathBuf::from(".")];
    let paths = if paths.is_empty() { &here[..] } else { paths };
    let mut found = Vec::new();
    for path in paths {
        let files =
            test_files(path).map_err(|source| ReadError { what: "the tests", path: path.clone(), source })?;
        found.extend(files.into_iter().map(shown_path));
    }
    found.sort();
    found.dedup();
    if found.is_empty() {
        return Err(UsageError {
            message: "no test files found".to_owned(),
            hint: "name files or folders: `steady waits lint e2e`; steady looks for .test., .spec. and .cy. in file names, and for folders such as e2e and __tests__"
                .to_owned(),
        }
        .into());
    }
    let (files, errors) = read_scripts(&found);
    let unread = errors.len();
    for error in errors {
        let is_named = |path: &Path| paths.iter().any(|named| named == path);
        match &error {
            ScriptError::Io { path, .. } | ScriptError::Parse { path, .. } if is_named(path) => {
                return Err(UnreadScript::from(error).into());
            }
            _ => session.warn(format!("{error}; skipped")),
        }
    }
    Ok((files, unread))
}
