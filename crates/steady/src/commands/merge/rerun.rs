//! Joins what shards of a rerun found: all their runs are looked at again as if one machine had made them.

use std::path::{Path, PathBuf};

use steady_model::Event;
use steady_model::rerun::{Category, NotTried, RerunReport, Run, TestReport};
use steady_rerun::{Evidence, judge};

use super::{Kind, MergeArgs, no_folder, read};
use crate::commands::rerun::files::{self, Extras, REPORT};
use crate::commands::rerun::{annotate, ended, sequential_test};
use crate::error::CommandError;
use crate::session::{Ended, Session};
use crate::shards;
use crate::values::Probability;

/// The joined report, and what the user should know about the parts.
#[derive(Debug)]
struct Merged {
    /// The joined report.
    report: RerunReport,
    /// What does not fit together.
    notes: Vec<String>,
}

/// Joins what shards found, and reports it as one machine would have.
pub fn run(session: &mut Session, args: &MergeArgs) -> Result<Ended, CommandError> {
    // Nothing is known before all is read: until something is written, a signal need not wait.
    let immediate = session.cancel().exit_immediately();
    let merged = merge(&args.folders)?;
    session.claim_output(&[REPORT])?;
    let extras = Extras::claim(args.junit.as_deref(), args.sarif.as_deref())?;
    merged.notes.iter().for_each(|note| session.warn(note.clone()));
    // The joined folder can be joined again: its events hold every run of the shards.
    for folder in &args.folders {
        each_run(folder, |run, at_most| session.emit(Event::CommandFinished { run, at_most }))?;
    }
    for test in &merged.report.tests {
        session.emit(Event::TestJudged { report: Box::new(test.clone()) });
    }
    drop(immediate);
    files::write(session, &merged.report, false)?;
    extras.write(&merged.report)?;
    annotate(&merged.report);
    Ok(ended(session, &merged.report, false))
}

/// Joins the reports in these folders; there is at least one.
fn merge(folders: &[PathBuf]) -> Result<Merged, CommandError> {
    let reports = folders.iter().map(|folder| report(folder)).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = reports.first() else {
        return Err(no_folder().into());
    };
    let mut evidence = Evidence::new(&first.command);
    for folder in folders {
        observe(folder, &mut evidence)?;
    }
    let sprt = sequential_test(Some(Probability(first.confidence)), Some(Probability(first.flake_rate)))?;
    let mut tests = judge(&evidence, sprt);
    for test in &mut tests {
        test.dependence = reports.iter().find_map(|report| dependence(report, test));
        if test.dependence.is_some() {
            test.category = Some(Category::State);
        }
    }
    let mut not_tried: Vec<NotTried> = Vec::new();
    for left in reports.iter().flat_map(|report| &report.not_tried) {
        if !not_tried.contains(left) {
            not_tried.push(left.clone());
        }
    }
    let merged = RerunReport {
        version: RerunReport::VERSION,
        command: first.command.clone(),
        confidence: first.confidence,
        flake_rate: first.flake_rate,
        seed: first.seed,
        runs: reports.iter().map(|report| report.runs).sum(),
        executions: evidence.executions,
        // Shards run beside each other: the whole takes as long as the slowest.
        seconds: reports.iter().map(|report| report.seconds).fold(0.0, f64::max),
        part: None,
        not_tried,
        tests,
    };
    Ok(Merged { notes: doubts(&reports), report: merged })
}

fn dependence(report: &RerunReport, test: &TestReport) -> Option<steady_model::rerun::Dependence> {
    report.tests.iter().find(|other| other.id == test.id)?.dependence.clone()
}

fn report(folder: &Path) -> Result<RerunReport, CommandError> {
    read::json(Kind::Rerun, &folder.join(REPORT), "the report")
}

/// Looks at every run of a shard again.
fn observe(folder: &Path, evidence: &mut Evidence) -> Result<(), CommandError> {
    each_run(folder, |mut run, _| {
        // What a run says of the command as a whole is found again from how it ended.
        run.results.retain(|result| result.id != evidence.command_id);
        evidence.observe(&run);
    })
}

/// Hands on every run of a shard and how many runs were planned, in order.
fn each_run(folder: &Path, mut on_run: impl FnMut(Box<Run>, u32)) -> Result<(), CommandError> {
    read::events(Kind::Rerun, folder, |event| {
        if let Event::CommandFinished { run, at_most } = event {
            on_run(run, at_most);
        }
    })
}

/// What speaks against these being the parts of one whole.
fn doubts(reports: &[RerunReport]) -> Vec<String> {
    let mut notes = Vec::new();
    if reports.iter().any(|report| report.command != reports[0].command) {
        notes.push("the folders are from different commands".to_owned());
    }
    let parts: Vec<_> = reports.iter().filter_map(|report| report.part).collect();
    notes.extend(shards::doubts(&parts, "tests or times"));
    notes
}
