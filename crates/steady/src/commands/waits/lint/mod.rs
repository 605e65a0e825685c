//! `steady waits lint`.

mod args;
mod baseline;
mod fix;
mod report;
mod sarif;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use steady_history::Limits;
use steady_js::{Form, Kind, Wait};
use steady_model::Event;
use steady_waits::files::test_files;
use steady_waits::lint::{Complaint, Context, Rule, cost, is_worth_a_look, lint};
use steady_waits::scripts::{ScriptError, ScriptFile, read_scripts};

pub use args::LintArgs;

use super::error::UnreadScript;
use super::past::{Remember, read_past, repository};
use super::tune::HISTORY_DEPTH;
use super::{fields, shown_path};
use crate::config::Config;
use crate::error::{CommandError, ReadError, UsageError};
use crate::exit::Exit;
use crate::output::UnfinishedFile;
use crate::session::{Ended, Session};
use crate::suggest;
use crate::ui::counted;
use baseline::Baseline;
use report::{LintedFile, lint_report};

/// How long the past may be looked at.
const HISTORY: Duration = Duration::from_secs(2);

/// Reads the test files and reports their waits.
pub fn run(args: &LintArgs, config: &Config, session: &Session) -> Result<Ended, CommandError> {
    let allowed = allowed(if args.allow.is_empty() { &config.waits.allow } else { &args.allow })?;
    let sarif = args.sarif.as_deref().map(UnfinishedFile::create).transpose()?;
    let known = match &args.baseline {
        Some(path) if !args.create_baseline => Some(Baseline::read(path)?),
        _ => None,
    };
    let (files, unread) = read(&args.paths, session)?;
    let mut context = Context::of(&files.iter().map(|file| &file.script).collect::<Vec<_>>());
    let history = args.history.or(config.waits.history).is_none_or(|switch| switch.0);
    if history && !allowed.contains(&Rule::LongTimeout) {
        learn(&mut context, &files, config, session);
    }
    let mut complaints: Vec<Vec<Complaint>> = files
        .iter()
        .map(|file| {
            let mut complaints = lint(&file.script, &file.path, &context);
            complaints.retain(|complaint| !allowed.contains(&complaint.rule));
            complaints
        })
        .collect();
    if let (Some(path), true) = (&args.baseline, args.create_baseline) {
        return create_baseline(path, &files, &complaints, session);
    }
    let found = complaints.iter().map(Vec::len).sum::<usize>();
    if let Some(mut known) = known {
        for (file, complaints) in files.iter().zip(&mut complaints) {
            complaints
                .retain(|complaint| !known.takes(&file.path, complaint.rule.name(), code(file, complaint)));
        }
        note_baseline(found, &complaints, &known, session);
    }
    if let Some(sarif) = sarif {
        let all: Vec<Complaint> = complaints.concat();
        sarif::of_complaints(&all).write(sarif)?;
    }
    let fixes = if args.fix { Some(fix::fixes(args, &files, &complaints, session)?) } else { None };
    let waits: Vec<Vec<Wait>> =
        files.iter().zip(&complaints).map(|(file, complaints)| listed_waits(file, complaints)).collect();
    let linted: Vec<LintedFile<'_>> = files
        .iter()
        .zip(&waits)
        .zip(&complaints)
        .map(|((file, waits), complaints)| LintedFile {
            path: &file.path,
            waits,
            unread: file.script.unread_waits(),
            complaints,
            cost: cost(&file.script),
        })
        .collect();
    let deleted = fixes.as_ref().filter(|fixes| fixes.written).map_or(0, |fixes| fixes.sleeps);
    let exit = match complaints.iter().map(Vec::len).sum::<usize>() - deleted {
        // Nobody knows what is in a file that was not read.
        0 if unread > 0 => Exit::Error,
        0 => Exit::Clean,
        _ => Exit::Findings,
    };
    let result = Linted {
        waits: linted.iter().flat_map(listed).collect(),
        unread_files: unread,
        patch: fixes.as_ref().map(|fixes| fixes.patch.as_str()),
        written: fixes.as_ref().map(|fixes| fixes.written),
    };
    session.emit(Event::WaitsLinted { result: fields(&result) });
    let report = match &fixes {
        Some(fixes) => fixes.report(found),
        None => lint_report(&linted, unread, session.shared().verbosity),
    };
    Ok(Ended::with(exit, report))
}

/// The waits of a file that are worth listing. Calls that poll without a time limit of their own have the framework's default: nothing to
/// list. Nor is a constant whose name says that something pauses: where it is used, it is listed.
fn listed_waits(file: &ScriptFile, complaints: &[Complaint]) -> Vec<Wait> {
    let wrong = complaints.iter().map(|complaint| complaint.wait.call).collect::<BTreeSet<_>>();
    let wrong = |wait: &Wait| wrong.contains(&wait.call);
    let is_constant = |wait: &Wait| wait.form == Form::Setting && wait.kind.is_paid();
    let timed = file.script.waits().iter().filter(|wait| wait.value.is_some() || wrong(wait));
    let timed = timed.filter(|wait| !is_constant(wait));
    let mut waits: Vec<Wait> = timed.chain(file.script.unread_waits()).cloned().collect();
    waits.sort_by_key(|wait| (wait.line, wait.column));
    waits
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
    let new: usize = complaints.iter().map(Vec::len).sum();
    session.note(format!("{} known from the baseline, {new} new", counted(found - new, "finding")));
    if known.left() > 0 {
        session.note(format!(
            "{} of the baseline {} no longer found: --create-baseline updates it",
            counted(known.left(), "finding"),
            if known.left() == 1 { "is" } else { "are" }
        ));
    }
}

/// Looks up what long time limits were before; folders without any are not looked at, nor are more than there is time for.
fn learn(context: &mut Context, files: &[ScriptFile], config: &Config, session: &Session) {
    let until = Instant::now() + HISTORY;
    let mut folders: BTreeMap<&Path, Vec<&ScriptFile>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.script.waits().iter().any(is_worth_a_look)) {
        let folder = file.path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        folders.entry(folder).or_default().push(file);
    }
    let Some(repository) = folders.keys().next().and_then(|folder| repository(folder, session)) else {
        return;
    };
    let depth = config.waits.history_depth.map_or(HISTORY_DEPTH, usize::from);
    let Ok(root) = repository.root().canonicalize() else { return };
    let mut left_out = 0;
    for (folder, files) in folders {
        let time = until.saturating_duration_since(Instant::now());
        let Ok(whole) = folder.canonicalize() else { continue };
        // Files of another repository have another past.
        let Ok(name) = whole.strip_prefix(&root) else { continue };
        if time.is_zero() {
            left_out += 1;
            continue;
        }
        let limits = Limits { depth, time };
        let remember = Remember::IfStoreExists;
        let Some(past) = read_past(&repository, name, limits, &config.store, remember, session) else {
            continue;
        };
        for file in files {
            let name = name.join(file.path.file_name().unwrap_or_default());
            context.learn(&file.path, &file.script, &past, &name);
        }
    }
    if left_out > 0 {
        session.note(format!(
            "the history of {} was not read within 2 s: long time limits there are not compared with their history",
            counted(left_out, "folder")
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

/// What programs get.
#[derive(Debug, Serialize)]
struct Linted<'a> {
    waits: Vec<Listed<'a>>,
    /// Files that could not be parsed: what waits in them is not known.
    unread_files: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<bool>,
}

#[derive(Debug, Serialize)]
struct Listed<'a> {
    path: &'a Path,
    line: usize,
    column: usize,
    kind: Kind,
    form: Form,
    call: String,
    ms: Option<u64>,
    awaited: bool,
    test: Option<&'a str>,
    complaints: Vec<ListedComplaint<'a>>,
}

#[derive(Debug, Serialize)]
struct ListedComplaint<'a> {
    rule: &'static str,
    message: &'a str,
    advice: &'a str,
    /// Whether `--fix` deletes it.
    fixable: bool,
}

fn listed<'a>(file: &LintedFile<'a>) -> Vec<Listed<'a>> {
    let list = |wait: &'a Wait| Listed {
        path: file.path,
        line: wait.line,
        column: wait.column,
        kind: wait.kind,
        form: wait.form,
        call: wait.call_name(),
        ms: wait.ms(),
        awaited: wait.awaited,
        test: wait.test.as_deref(),
        complaints: file
            .complaints_of(wait)
            .map(|complaint| ListedComplaint {
                rule: complaint.rule.name(),
                message: &complaint.message,
                advice: &complaint.advice,
                fixable: complaint.deletion.is_some(),
            })
            .collect(),
    };
    file.waits.iter().map(list).collect()
}
