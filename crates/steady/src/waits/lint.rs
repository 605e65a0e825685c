//! `steady waits lint`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use steady_history::Limits;
use steady_model::FORMAT_VERSION;
use steady_script::{Form, Kind, Wait};
use steady_waits::files::test_files;
use steady_waits::lint::{Complaint, Context, Rule, is_worth_a_look, lint};
use steady_waits::scripts::{ScriptError, ScriptFile, read_scripts};

use super::error::UnreadScript;
use super::past::{read_past, repository};
use crate::cli::{HistoryChoice, LintArgs};
use crate::config::Config;
use crate::error::{CommandError, ReadError, UsageError};
use crate::exit::Exit;
use crate::options::{HISTORY_DEPTH, SharedOptions};
use crate::output::UnfinishedFile;
use crate::sarif;
use crate::suggest;
use crate::terminal::{LintedFile, counted, lint_report};
use crate::voice::Voice;

/// How long the past may be looked at.
const HISTORY: Duration = Duration::from_secs(2);

/// Reads the test files and tells of their waits.
pub fn run(args: &LintArgs, config: &Config, shared: &SharedOptions) -> Result<Exit, CommandError> {
    let allowed = allowed(if args.allow.is_empty() { &config.waits.allow } else { &args.allow })?;
    let sarif = args.sarif.as_deref().map(UnfinishedFile::create).transpose()?;
    let mut voice = Voice::new("waits lint", shared);
    let files = read(&args.paths, &mut voice)?;
    let mut context = Context::of(&files.iter().map(|file| &file.script).collect::<Vec<_>>());
    let history = args.history.or(config.waits.history).unwrap_or_default();
    if history == HistoryChoice::On && !allowed.contains(&Rule::LongTimeout) {
        learn(&mut context, &files, config, &mut voice);
    }
    let complaints: Vec<Vec<Complaint>> = files
        .iter()
        .map(|file| {
            let mut complaints = lint(&file.script, &file.path, &context);
            complaints.retain(|complaint| !allowed.contains(&complaint.rule));
            complaints
        })
        .collect();
    if let Some(sarif) = sarif {
        let all: Vec<Complaint> = complaints.concat();
        sarif::of_complaints(&all).write(sarif)?;
    }
    // Calls that poll and are not told how long wait for the framework's default: nothing to list.
    let waits: Vec<Vec<Wait>> = files
        .iter()
        .zip(&complaints)
        .map(|(file, complaints)| {
            let wrong = complaints.iter().map(|complaint| complaint.wait.call).collect::<BTreeSet<_>>();
            let wrong = |wait: &Wait| wrong.contains(&wait.call);
            let told = file.script.waits().iter().filter(|wait| wait.value.is_some() || wrong(wait));
            let mut waits: Vec<Wait> = told.chain(file.script.unread_waits()).cloned().collect();
            waits.sort_by_key(|wait| (wait.line, wait.column));
            waits
        })
        .collect();
    let linted: Vec<LintedFile<'_>> = files
        .iter()
        .zip(&waits)
        .zip(&complaints)
        .map(|((file, waits), complaints)| LintedFile {
            path: &file.path,
            waits,
            unread: file.script.unread_waits(),
            complaints,
        })
        .collect();
    let exit = if complaints.iter().all(Vec::is_empty) { Exit::Clean } else { Exit::Findings };
    let result = Linted { version: FORMAT_VERSION, waits: linted.iter().flat_map(listed).collect() };
    voice.finish_with(exit, false, &result, |verbosity| lint_report(&linted, verbosity))
}

/// Looks up what long time limits were before; folders without any are not looked at, nor are more than there is time for.
fn learn(context: &mut Context, files: &[ScriptFile], config: &Config, voice: &mut Voice) {
    let until = Instant::now() + HISTORY;
    let mut folders: BTreeMap<&Path, Vec<&ScriptFile>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.script.waits().iter().any(is_worth_a_look)) {
        let folder = file.path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        folders.entry(folder).or_default().push(file);
    }
    let Some(repository) = folders.keys().next().and_then(|folder| repository(folder, voice)) else { return };
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
        let Some(past) = read_past(&repository, name, Limits { depth, time }, &config.store, voice) else {
            continue;
        };
        for file in files {
            let name = name.join(file.path.file_name().unwrap_or_default());
            context.learn(&file.path, &file.script, &past, &name);
        }
    }
    if left_out > 0 {
        voice.note(format!(
            "the past of {} was not looked at for lack of time; another call goes on from here",
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
                None => format!("there are {}", known.join(", ")),
            };
            UsageError { message: format!("there is no rule `{name}`"), hint }
        })
    };
    names.iter().map(rule).collect()
}

/// The scripts below the paths. What is named has to be readable; what is found may be left out, and is told.
fn read(paths: &[PathBuf], voice: &mut Voice) -> Result<Vec<ScriptFile>, CommandError> {
    let here = [PathBuf::from(".")];
    let paths = if paths.is_empty() { &here[..] } else { paths };
    let mut found = Vec::new();
    for path in paths {
        let files =
            test_files(path).map_err(|source| ReadError { what: "the tests", path: path.clone(), source })?;
        found
            .extend(files.into_iter().map(|file| file.strip_prefix(".").map(Path::to_owned).unwrap_or(file)));
    }
    found.sort();
    found.dedup();
    if found.is_empty() {
        return Err(UsageError {
            message: "there are no test files here".to_owned(),
            hint: "name files or folders: `steady waits lint e2e`; tests are known by .test., .spec., .cy. in their names or by folders like e2e and __tests__"
                .to_owned(),
        }
        .into());
    }
    let (files, errors) = read_scripts(&found);
    for error in errors {
        let is_named = |path: &Path| paths.iter().any(|named| named == path);
        match &error {
            ScriptError::Io { path, .. } | ScriptError::Parse { path, .. } if is_named(path) => {
                return Err(UnreadScript::from(error).into());
            }
            _ => voice.warn(format!("{error}; left out")),
        }
    }
    Ok(files)
}

/// What programs get.
#[derive(Debug, Serialize)]
struct Linted<'a> {
    version: u32,
    waits: Vec<Listed<'a>>,
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
    complaints: Vec<Wrong<'a>>,
}

#[derive(Debug, Serialize)]
struct Wrong<'a> {
    rule: &'static str,
    message: &'a str,
    advice: &'a str,
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
            .map(|complaint| Wrong {
                rule: complaint.rule.name(),
                message: &complaint.message,
                advice: &complaint.advice,
            })
            .collect(),
    };
    file.waits.iter().map(list).collect()
}
