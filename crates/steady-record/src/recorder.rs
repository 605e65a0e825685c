//! A command that can be recorded, and its runs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use steady_model::rerun::TestResult;
use steady_process::{Cancel, Finished, Spec, Stream};
use steady_results::{Base, ReadError, Snapshot, SourceError, Sources};
use steady_runners::{Project, Recognised, Source, Variable, recognise};

use crate::command::TestCommand;
use crate::error::RecordError;
use crate::read::read;
use crate::record::RecordedRun;
use crate::recorded::Unanswered;
use crate::recorders::{self, Hook};

/// Tells the recorder where to write.
const FOLDER_VARIABLE: &str = "STEADY_RECORD";
/// Tells the recorder where the project is, as a path without links.
const ROOT_VARIABLE: &str = "STEADY_RECORD_ROOT";
/// How much of the end of the output is kept.
const EXCERPT_LINES: usize = 40;
/// Vitest and others print a lot; what is read from there has to be whole.
const OUTPUT_LIMIT: usize = 16 << 20;

/// A test command whose runner is known and can be recorded. It serves any number of runs.
#[derive(Debug, Clone)]
pub struct Recorder {
    recognised: Recognised,
    hook: &'static dyn Hook,
    home: PathBuf,
}

/// A run, ready to be started.
#[derive(Debug)]
pub struct Prepared {
    /// What to start. More may be added to it; nothing may be taken away.
    pub spec: Spec,
    project: PathBuf,
    exchanges: PathBuf,
    sources: Sources,
    /// The reports that were there before, of earlier runs.
    before: Snapshot,
    /// Whether results may be in what the command prints.
    printed: bool,
}

impl Recorder {
    /// Recognises the command's runner and builds what its recorder needs in `home`, which has to stay as long as runs go on.
    pub fn attach(command: &TestCommand<'_>, home: &Path, cancel: &Cancel) -> Result<Self, RecordError> {
        let recognised = recognise(command.words, &Project::at(command.project));
        let supported = recorders::supported();
        if !recognised.runner.is_known() {
            return Err(RecordError::NotRecognised { command: command.words.join(" "), supported });
        }
        let runner = recognised.runner.name();
        let hook = recorders::of(runner).ok_or(RecordError::NotSupported { runner, supported })?;
        let home = empty(home)?;
        hook.build(command, &home, cancel)?;
        Ok(Self { recognised, hook, home })
    }

    /// The runner's name.
    pub fn runner(&self) -> &'static str {
        self.hook.runner()
    }

    /// Prepares a run of the command. What it writes goes to `folder`, which is emptied; runs at the same time need one each.
    pub fn prepare(&self, command: &TestCommand<'_>, folder: &Path) -> Result<Prepared, RecordError> {
        let folder = empty(folder)?;
        let [inject, results, exchanges] = ["inject", "results", "exchanges"].map(|name| folder.join(name));
        for folder in [&results, &exchanges] {
            fs::create_dir_all(folder).map_err(RecordError::folder(folder))?;
        }
        let mut invocation = match command.tests {
            [] => self.recognised.invocation(&inject),
            tests => self.recognised.selecting(&inject, tests)?,
        };
        let report = self.recognised.runner.report(&mut invocation, &results);
        self.hook.attach(&mut invocation, &self.home)?;
        let project = Project::at(command.project).root().to_owned();
        for (name, path) in [(FOLDER_VARIABLE, &exchanges), (ROOT_VARIABLE, &project)] {
            invocation.variables.insert(name, Variable::Set(path.display().to_string()));
        }
        invocation.write_files().map_err(RecordError::folder(&inject))?;
        let sources = Sources::new(report.sources.iter().filter_map(|source| match source {
            Source::Files(pattern) => Some(pattern.as_str()),
            Source::Output => None,
        }))?;
        Ok(Prepared {
            spec: command.spec(&invocation).output_limit(OUTPUT_LIMIT),
            before: sources.snapshot(&Base::new(command.project)),
            project: command.project.to_owned(),
            exchanges,
            sources,
            printed: report.sources.contains(&Source::Output),
        })
    }

    /// Says what to look at when tests ran and nothing was recorded.
    pub fn no_exchange(&self, run: &RecordedRun) -> RecordError {
        match run.unanswered.first() {
            Some(Unanswered { url, error }) => RecordError::Unreachable {
                requests: run.unanswered.len(),
                url: url.clone(),
                error: error.clone(),
            },
            None => RecordError::NoExchange {
                runner: self.hook.runner(),
                tests: run.results.len(),
                sees: self.hook.sees(),
            },
        }
    }
}

impl Prepared {
    /// Reads what the run left, after its end.
    pub fn collect(&self, finished: &Finished) -> Result<RecordedRun, RecordError> {
        let recording = read(&self.exchanges, &self.project)?;
        let (results, mut notes) = self.results(finished);
        notes.extend(recording.notes);
        let excerpt = excerpt(&finished.output.text());
        Ok(RecordedRun {
            exchanges: recording.exchanges,
            failures: recording.failures,
            unanswered: recording.unanswered,
            results,
            exit: finished.exit,
            excerpt,
            notes,
        })
    }

    fn results(&self, finished: &Finished) -> (Vec<TestResult>, Vec<String>) {
        let base = Base::new(&self.project);
        let collected = self.sources.collect(&base, &self.before);
        // That a report is not there is told by there being no results.
        let is_news =
            |note: &&SourceError| !matches!(note, SourceError::Missing { .. } | SourceError::Stale { .. });
        let mut notes: Vec<String> =
            collected.notes.iter().filter(is_news).map(ToString::to_string).collect();
        let mut results = collected.results;
        if results.is_empty() && self.printed {
            match steady_results::read(&finished.output.bytes(Stream::Stdout), &base) {
                Ok(printed) => results = printed,
                Err(ReadError::Empty | ReadError::Unknown) => {}
                Err(error) => notes.push(format!("what the command prints: {error}")),
            }
        }
        (results, notes)
    }
}

/// An empty folder of this name, by its absolute path: the command runs elsewhere.
fn empty(folder: &Path) -> Result<PathBuf, RecordError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(RecordError::folder(folder)(error));
        }
        _ => {}
    }
    fs::create_dir_all(folder).and_then(|()| folder.canonicalize()).map_err(RecordError::folder(folder))
}

/// The last lines, without what a terminal would act on.
fn excerpt(text: &str) -> String {
    let lines: Vec<String> = text
        .lines()
        .rev()
        .take(EXCERPT_LINES)
        .map(|line| line.chars().filter(|letter| !letter.is_control() || *letter == '\t').take(500).collect())
        .collect();
    lines.into_iter().rev().collect::<Vec<String>>().join("\n")
}
