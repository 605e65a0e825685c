//! The runs of a project's tests, in a copy of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use jiff::Timestamp;
use steady_flaky::Step;
use steady_flaky::relax::Policy;
use steady_model::Response;
use steady_model::rerun::{Outcome, TestId};
use steady_perturb::Workshop;
use steady_process::{Isolation, spawn};
use steady_record::{Recorded, RecordedRun, Recorder, TestCommand};
use steady_source::{Change, Edit};

use super::decide::{Text, decide};
use super::lines::original;
use super::project::{CodeError, CodeProject};
use super::{ChangedFile, project::TestCode};
use crate::company::{Company, Order};
use crate::cost::Cost;
use crate::error::StabilizeError;

/// Folders that are installed rather than written: the copy shares them.
const SHARED: [&str; 3] = ["node_modules", ".venv", "venv"];

/// What a test got from one call, and how the run came to be.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub step: Step,
    pub test: Option<TestId>,
    /// `GET /orders/1`
    pub request: String,
    pub response: Response,
    /// Which run it was.
    pub run: usize,
    /// Its place among the calls of its test.
    pub sequence: u32,
    /// Whether its test passed with the assertions in it.
    pub approved: bool,
}

/// A project's tests and all that was seen of them.
pub(super) struct Runs<'a> {
    pub project: &'a CodeProject<'a>,
    pub own: Vec<String>,
    pub now: Timestamp,
    /// By file and line of the original, what calls there got, in the order they were made.
    answers: BTreeMap<(PathBuf, usize), Vec<Answer>>,
    /// What was added by each run, to take it back.
    last: Vec<((PathBuf, usize), Answer)>,
    recorder: Recorder,
    workshop: Workshop,
    copy: PathBuf,
    /// The edits that the files in the copy have.
    edits: Vec<Text>,
    /// Tests that passed, and that failed, with assertions of some kind in them.
    passed: BTreeSet<TestId>,
    failed: BTreeSet<TestId>,
    /// Tests that failed in the last run.
    failed_last: BTreeSet<TestId>,
    silent: bool,
    notes: BTreeSet<String>,
    cost: Cost,
    runs: usize,
}

impl<'a> Runs<'a> {
    pub fn new(project: &'a CodeProject<'a>) -> Result<Self, CodeError> {
        let workshop = Workshop::open(project.state)?;
        let copy = workshop.fresh(0, "copy")?;
        let read = |source| CodeError::Read { path: project.folder.to_owned(), source };
        let isolation = Isolation::copy(project.folder).map_err(read)?.skip(".git");
        let isolation = SHARED.into_iter().fold(isolation, Isolation::link);
        isolation.copy_to(&copy, project.stop)?;
        let home = workshop.fresh(0, "recorder")?;
        let command = TestCommand::new(project.command, &copy);
        let recorder = Recorder::attach(&command, &home, project.stop)?;
        Ok(Self {
            project,
            own: Vec::new(),
            now: Timestamp::now(),
            answers: BTreeMap::new(),
            last: Vec::new(),
            recorder,
            workshop,
            copy,
            edits: unchanged(&project.code),
            passed: BTreeSet::new(),
            failed: BTreeSet::new(),
            failed_last: BTreeSet::new(),
            silent: false,
            notes: BTreeSet::new(),
            cost: Cost::default(),
            runs: 0,
        })
    }

    /// Takes all assertions about responses out of the copy: one that fails keeps the calls behind it from being made.
    pub fn silence(&mut self) -> Result<(), CodeError> {
        let mut texts = unchanged(&self.project.code);
        for (text, code) in texts.iter_mut().zip(&self.project.code) {
            let silent = |index| (index, Change::Disable { note: String::from("looked at") });
            let changes: Vec<_> = (0..code.source.assertions().len()).map(silent).collect();
            // A file that cannot be silenced is run as it is, and seen as far as its assertions hold.
            if let Ok(rewritten) = code.source.rewrite(&changes) {
                *text = Text { text: rewritten.text, edits: rewritten.edits };
            }
        }
        self.stage(&texts)?;
        self.silent = true;
        Ok(())
    }

    /// Puts these texts into the copy.
    pub fn stage(&mut self, texts: &[Text]) -> Result<(), CodeError> {
        for (text, code) in texts.iter().zip(&self.project.code) {
            let path = self.copy.join(&code.path);
            fs::write(&path, &text.text).map_err(|source| CodeError::Read { path, source })?;
        }
        self.edits = texts.to_vec();
        self.silent = false;
        Ok(())
    }

    /// Runs what is staged, as it will be offered; says how many tests failed.
    pub async fn prove(&mut self, step: Step) -> Result<usize, StabilizeError> {
        self.perform(step, Order::Forwards, "proof").await?;
        Ok(self.failed_last.len())
    }

    /// Tests that never passed.
    pub fn failing_every_time(&self) -> Vec<String> {
        self.failed.difference(&self.passed).map(|test| test.as_str().to_owned()).collect()
    }

    /// Tests that pass and fail, still in the last run.
    pub fn still_flaky(&self) -> Vec<String> {
        self.failed_last.intersection(&self.passed).map(|test| test.as_str().to_owned()).collect()
    }

    /// What calls within these lines of a file got.
    pub fn answers(&self, file: &Path, first: usize, last: usize) -> impl Iterator<Item = &Answer> {
        let range = (file.to_owned(), first)..=(file.to_owned(), last);
        self.answers.range(range).flat_map(|(_, answers)| answers)
    }

    /// The files whose text is another one.
    pub fn changed(&self, texts: &[Text]) -> Vec<ChangedFile> {
        let pairs = self.project.code.iter().zip(texts);
        let changed = pairs.filter(|(code, text)| code.source.text() != text.text);
        changed
            .map(|(code, text)| ChangedFile {
                path: code.path.clone(),
                before: code.source.text().to_owned(),
                after: text.text.clone(),
            })
            .collect()
    }

    /// What could not be read.
    pub fn notes(&self) -> Vec<String> {
        self.notes.iter().cloned().collect()
    }

    fn run(&self) -> Result<RecordedRun, CodeError> {
        let command = TestCommand {
            words: self.project.command,
            project: &self.copy,
            variables: &self.project.variables,
            timeout: Some(self.project.timeout),
            tests: &[],
        };
        let prepared = self.recorder.prepare(&command, &self.workshop.fresh(0, "run")?)?;
        let finished =
            spawn(&prepared.spec).map_err(steady_record::RecordError::from)?.wait(self.project.stop);
        let run = prepared.collect(&finished)?;
        if run.results.is_empty() {
            return Err(steady_record::RecordError::NoTests { exit: run.exit, excerpt: run.excerpt }.into());
        }
        Ok(run)
    }

    /// Notes an exchange at every line on the way to it: which of them an assertion speaks of is the assertion's to say.
    fn remember(&mut self, step: Step, exchange: &Recorded, passed: &BTreeSet<TestId>) {
        let request = format!("{} {}", exchange.request.method, path_of(&exchange.request.url));
        let mut lines = BTreeSet::new();
        for frame in &exchange.frames {
            let Some(index) = self.project.code.iter().position(|code| code.path == frame.file) else {
                continue;
            };
            let (text, before) = (&self.edits[index], self.project.code[index].source.text());
            let line = original(frame.line as usize, before, &text.text, &text.edits);
            if !lines.insert((index, line)) {
                continue;
            }
            // As they were read: with an assertion that was rewritten, a test passes whatever the old one says.
            let unchanged = !self.silent && text.edits.is_empty();
            let approved = unchanged && exchange.test.as_ref().is_some_and(|test| passed.contains(test));
            let answer = Answer {
                step,
                test: exchange.test.clone(),
                request: request.clone(),
                response: exchange.response.clone(),
                run: self.runs,
                sequence: exchange.sequence,
                approved,
            };
            self.last.push(((frame.file.clone(), line), answer));
        }
    }
}

impl Company for Runs<'_> {
    async fn perform(&mut self, step: Step, _: Order, name: &str) -> Result<(), StabilizeError> {
        self.commit();
        let started = Instant::now();
        let run = match self.run() {
            // A run that was ended early says nothing about the tests.
            _ if self.is_over() => return Ok(()),
            run => run?,
        };
        self.failed_last.clear();
        for result in &run.results {
            match result.outcome {
                Outcome::Passed if !self.silent => self.passed.insert(result.id.clone()),
                Outcome::Failed => {
                    self.failed_last.insert(result.id.clone());
                    self.failed.insert(result.id.clone())
                }
                _ => false,
            };
        }
        self.notes.extend(run.notes);
        let requests = run.exchanges.len() as u64;
        if requests == 0 && self.answers.is_empty() {
            return Err(CodeError::from(self.recorder.no_exchange(run.results.len())).into());
        }
        let passed = run.results.iter().filter(|result| result.outcome == Outcome::Passed);
        let passed: BTreeSet<TestId> = passed.map(|result| result.id.clone()).collect();
        self.runs += 1;
        run.exchanges.iter().for_each(|exchange| self.remember(step, exchange, &passed));
        self.cost.add(name, requests, started.elapsed());
        Ok(())
    }

    fn moving(&self) -> Vec<String> {
        let flaky = decide(self, Policy::Disable).flaky.into_iter();
        flaky
            .filter(|flaky| flaky.evidence.iter().any(|step| step != "inferred"))
            .map(|flaky| format!("{} {} {}", flaky.operation, flaky.status, flaky.place))
            .collect()
    }

    fn relabel(&mut self, steps: &[Step]) {
        let last = std::mem::take(&mut self.last);
        for (place, answer) in last {
            let answers = steps.iter().map(|step| (place.clone(), Answer { step: *step, ..answer.clone() }));
            self.last.extend(answers);
        }
    }

    fn know(&mut self, own: Vec<String>) {
        self.own = own;
    }

    fn is_over(&self) -> bool {
        self.project.stop.is_requested()
    }

    fn can_order(&self) -> bool {
        false
    }

    fn cost(&mut self) -> &mut Cost {
        &mut self.cost
    }
}

impl Runs<'_> {
    /// The last run stays.
    fn commit(&mut self) {
        for (place, answer) in self.last.drain(..) {
            self.answers.entry(place).or_default().push(answer);
        }
    }

    /// What the call at these lines of a file got, in all runs. Where a function of the tests' own made several calls, what
    /// it returns is taken to be the last.
    pub fn seen(&self, file: &Path, first: usize, last: usize) -> Vec<&Answer> {
        let inside = |(path, line): &(PathBuf, usize)| path == file && (first..=last).contains(line);
        let recent = self.last.iter().filter(|(place, _)| inside(place)).map(|(_, answer)| answer);
        let all: Vec<&Answer> = self.answers(file, first, last).chain(recent).collect();
        let later = |one: &Answer, other: &Answer| {
            one.run == other.run
                && one.step == other.step
                && one.test == other.test
                && other.sequence > one.sequence
        };
        all.iter().filter(|one| !all.iter().any(|other| later(one, other))).copied().collect()
    }
}

fn unchanged(code: &[TestCode]) -> Vec<Text> {
    code.iter().map(|code| Text { text: code.source.text().to_owned(), edits: Vec::<Edit>::new() }).collect()
}

/// The path of an address, without its query.
fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find('/').map_or("/", |at| &rest[at..]);
    path.split(['?', '#']).next().unwrap_or("/")
}
