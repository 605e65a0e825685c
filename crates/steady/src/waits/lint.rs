//! `steady waits lint`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Serialize;
use steady_model::FORMAT_VERSION;
use steady_script::{Form, Kind, Wait};
use steady_waits::files::test_files;
use steady_waits::lint::{Complaint, Context, Rule, lint};
use steady_waits::scripts::{ScriptError, ScriptFile, read_scripts};

use super::error::UnreadScript;
use crate::cli::LintArgs;
use crate::config::WaitsConfig;
use crate::error::{CommandError, ReadError, UsageError};
use crate::exit::Exit;
use crate::options::SharedOptions;
use crate::output::UnfinishedFile;
use crate::sarif;
use crate::suggest;
use crate::terminal::{LintedFile, lint_report};
use crate::voice::Voice;

/// Reads the test files and tells of their waits.
pub fn run(args: &LintArgs, config: &WaitsConfig, shared: &SharedOptions) -> Result<Exit, CommandError> {
    let allowed = allowed(if args.allow.is_empty() { &config.allow } else { &args.allow })?;
    let sarif = args.sarif.as_deref().map(UnfinishedFile::create).transpose()?;
    let mut voice = Voice::new("waits lint", shared);
    let files = read(&args.paths, &mut voice)?;
    let context = Context::of(&files);
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
            let wrong = |wait: &Wait| complaints.iter().any(|complaint| complaint.wait.call == wait.call);
            file.script.waits().iter().filter(|wait| wait.value.is_some() || wrong(wait)).cloned().collect()
        })
        .collect();
    let linted: Vec<LintedFile<'_>> = files
        .iter()
        .zip(&waits)
        .zip(&complaints)
        .map(|((file, waits), complaints)| LintedFile { path: &file.path, waits, complaints })
        .collect();
    let exit = if complaints.iter().all(Vec::is_empty) { Exit::Clean } else { Exit::Findings };
    let result = Linted { version: FORMAT_VERSION, waits: linted.iter().flat_map(listed).collect() };
    voice.finish_with(exit, false, &result, |verbosity| lint_report(&linted, verbosity))
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
        let files = test_files(path).map_err(|source| ReadError {
            what: "the tests",
            path: path.clone(),
            source,
        })?;
        found.extend(files.into_iter().map(|file| file.strip_prefix(".").map(Path::to_owned).unwrap_or(file)));
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
            .complaints
            .iter()
            .filter(|complaint| complaint.wait.call == wait.call)
            .map(|complaint| Wrong {
                rule: complaint.rule.name(),
                message: &complaint.message,
                advice: &complaint.advice,
            })
            .collect(),
    };
    file.waits.iter().map(list).collect()
}
