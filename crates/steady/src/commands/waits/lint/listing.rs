//! The waits that are listed, for people and for programs.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;
use steady_js::{Form, Kind, Wait};
use steady_waits::lint::Complaint;
use steady_waits::scripts::ScriptFile;

use super::report::LintedFile;

/// The waits of a file that are worth listing. Calls that poll without a time limit of their own have the framework's default: nothing to
/// list. Nor is a constant whose name says that something pauses: where it is used, it is listed.
pub(super) fn listed_waits(file: &ScriptFile, complaints: &[Complaint]) -> Vec<Wait> {
    let wrong = complaints.iter().map(|complaint| complaint.wait.call).collect::<BTreeSet<_>>();
    let wrong = |wait: &Wait| wrong.contains(&wait.call);
    let is_constant = |wait: &Wait| wait.form == Form::Setting && wait.kind.is_blocking();
    let timed = file.script.waits().iter().filter(|wait| wait.value.is_some() || wrong(wait));
    let timed = timed.filter(|wait| !is_constant(wait));
    let mut waits: Vec<Wait> = timed.chain(file.script.unread_waits()).cloned().collect();
    waits.sort_by_key(|wait| (wait.line, wait.column));
    waits
}

/// The fields of the event for programs.
#[derive(Debug, Serialize)]
pub(super) struct Linted<'a> {
    pub(super) waits: Vec<Listed<'a>>,
    /// Files that could not be parsed: what waits in them is not known.
    pub(super) unread_files: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) patch: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) written: Option<bool>,
}

#[derive(Debug, Serialize)]
pub(super) struct Listed<'a> {
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

/// The waits of a file, each with what is wrong with it.
pub(super) fn listed<'a>(file: &LintedFile<'a>) -> Vec<Listed<'a>> {
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
