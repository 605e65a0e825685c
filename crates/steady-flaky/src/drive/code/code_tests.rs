//! The runs of a project's tests, in a copy of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::infer::Fact;
use crate::relax::Policy;
use crate::{Observation, Step};
use jiff::Timestamp;
use steady_assertions::Change;
use steady_edit::Edit;
use steady_exec::{FinishedRun, RecordError, Recorded};
use steady_model::rerun::{Condition, Outcome, Perturbation, TestId};

use super::decide::{Text, decide};
use super::lines::original;
use super::project::{CodeError, CodeProject};
use super::sandbox_runner::CodeRunner;
use super::{ChangedFile, project::TestCode};
use crate::drive::cost::Cost;
use crate::drive::error::StabilizeError;
use crate::drive::sut_access::SutAccess;
use crate::drive::test_set::{Order, Round, TestSet};

/// What a test got from one call, and how the run came to be.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub observation: Observation,
    pub test: Option<TestId>,
    /// `GET /orders/1`
    pub request: String,
    /// Which run it was.
    pub run: usize,
    /// Its place among the calls of its test.
    pub sequence: u32,
    /// Whether its test passed with the assertions in it.
    pub approved: bool,
    /// Whether the API that answered runs in the test's own process.
    pub inside: bool,
}

impl Answer {
    /// The same answer, counted for another step.
    fn under(&self, step: Step) -> Self {
        Self { observation: self.observation.under(step), ..self.clone() }
    }
}

/// What a test came to in some runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub passed: u32,
    pub failed: u32,
    /// The lines of the tests' files that its last failure came through, innermost first: index of the file, and line.
    pub lines: Vec<(usize, usize)>,
}

/// A project's tests and all that was seen of them.
pub(super) struct CodeTests<'a> {
    pub project: &'a CodeProject<'a>,
    pub own: Vec<Fact>,
    pub now: Timestamp,
    /// By file and line of the original, what calls there got, in the order they were made.
    answers: BTreeMap<(PathBuf, usize), Vec<Answer>>,
    /// What was added by each run, to take it back.
    last: Vec<((PathBuf, usize), Answer)>,
    /// The run that was forgotten last.
    forgotten: Vec<((PathBuf, usize), Answer)>,
    runner: Box<dyn CodeRunner + 'a>,
    /// The edits that the files in the copy have.
    edits: Vec<Text>,
    /// What every test came to with the assertions in it that are staged now.
    tallies: BTreeMap<TestId, Tally>,
    silent: bool,
    /// The ids of the API's processes, where steady starts it.
    processes: Vec<u32>,
    notes: BTreeSet<String>,
    cost: Cost,
    runs: usize,
}

impl<'a> CodeTests<'a> {
    pub fn new(project: &'a CodeProject<'a>, runner: Box<dyn CodeRunner + 'a>) -> Self {
        Self {
            project,
            own: Vec::new(),
            now: Timestamp::now(),
            answers: BTreeMap::new(),
            last: Vec::new(),
            forgotten: Vec::new(),
            runner,
            edits: unchanged(&project.code),
            tallies: BTreeMap::new(),
            silent: false,
            processes: Vec::new(),
            notes: BTreeSet::new(),
            cost: Cost::default(),
            runs: 0,
        }
    }

    /// Takes all assertions about responses out of the copy: after one that fails, a test makes no
    /// further calls.
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
            self.runner.write(&code.path, &text.text)?;
        }
        self.edits = texts.to_vec();
        self.silent = false;
        self.tallies.values_mut().for_each(|tally| *tally = Tally::default());
        Ok(())
    }

    /// Runs what is staged, as it will be offered; says how many tests failed.
    pub async fn prove(&mut self, step: Step, access: &mut SutAccess<'_>) -> Result<usize, StabilizeError> {
        self.run_all(step, "proof", access).await?;
        Ok(self.tallies.values().filter(|tally| tally.failed > 0).count())
    }

    /// What every test came to since the texts were staged.
    pub fn tallies(&self) -> &BTreeMap<TestId, Tally> {
        &self.tallies
    }

    /// Whether some API answered in the tests' own process.
    pub fn answers_inside(&self) -> bool {
        self.answers
            .values()
            .flatten()
            .chain(self.last.iter().map(|(_, answer)| answer))
            .any(|answer| answer.inside)
    }

    /// Runs the tests with something changed around their own process. Only what APIs in that process answer is looked at; says
    /// whether the process was reached.
    pub async fn run_inside(
        &mut self,
        perturbation: Perturbation,
        condition: &Condition,
    ) -> Result<bool, StabilizeError> {
        self.commit();
        let started = Instant::now();
        let finished = match self.run_under(condition) {
            _ if self.is_over() => return Ok(false),
            // A runner that does not work under such a condition says nothing about the tests.
            Err(CodeError::Record(_)) => return Ok(false),
            finished => finished?,
        };
        self.runs += 1;
        let exchanges = &finished.recording.exchanges;
        let inside = exchanges.iter().filter(|exchange| exchange.inside);
        if finished.shim_reached {
            let step = Step::Perturbed(perturbation);
            inside.for_each(|exchange| self.remember(step, exchange, &BTreeSet::new()));
        }
        let requests = exchanges.len() as u64;
        self.cost.add(&format!("{condition} in the tests' process"), requests, started.elapsed());
        Ok(finished.shim_reached)
    }

    /// Runs all tests, in whatever order their runner likes.
    pub async fn run_all(
        &mut self,
        step: Step,
        name: &str,
        access: &mut SutAccess<'_>,
    ) -> Result<(), StabilizeError> {
        let round = Round { step, order: Order::Forwards, name, condition: &Condition::default() };
        self.run(round, access).await.map(drop)
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

    /// Runs the command under a condition. A run without a test is an error.
    fn run_under(&mut self, condition: &Condition) -> Result<FinishedRun, CodeError> {
        let finished = self.runner.run(condition)?;
        if finished.run.results.is_empty() {
            return Err(RecordError::no_tests(&finished.run).into());
        }
        Ok(finished)
    }

    /// Counts what the tests came to, and where they failed.
    fn count(&mut self, finished: &FinishedRun) {
        for result in &finished.run.results {
            let tally = self.tallies.entry(result.id.clone()).or_default();
            match result.outcome {
                Outcome::Passed => tally.passed += 1,
                Outcome::Failed => tally.failed += 1,
                _ => {}
            }
        }
        for failure in &finished.recording.failures {
            let lines =
                failure.frames.iter().filter_map(|frame| self.line_of(&frame.file, frame.line as usize));
            let lines = lines.collect();
            if let Some(tally) = self.tallies.get_mut(&failure.test) {
                tally.lines = lines;
            }
        }
    }

    /// The file of a test, by its name: its index.
    fn file_of(&self, test: &TestId) -> Option<usize> {
        let path = Path::new(test.as_str().split("::").next().unwrap_or_default());
        self.project.code.iter().position(|code| code.path == path)
    }

    /// A line of a file in the copy, as it was read: the file's index and the line.
    fn line_of(&self, file: &Path, line: usize) -> Option<(usize, usize)> {
        let index = self.project.code.iter().position(|code| code.path == file)?;
        let (text, before) = (&self.edits[index], self.project.code[index].source.text());
        Some((index, original(line, before, &text.text, &text.edits)))
    }

    /// Notes an exchange at every line on the way to it: which of them an assertion speaks of is the assertion's to say.
    fn remember(&mut self, step: Step, exchange: &Recorded, passed: &BTreeSet<TestId>) {
        let request = format!("{} {}", exchange.request.method, path_of(&exchange.request.url));
        let mut lines = BTreeSet::new();
        // As they were read: with an assertion that was rewritten, a test passes whatever the old one says.
        let staged = |file: &PathBuf| self.project.code.iter().position(|code| code.path == *file);
        let mut indices = exchange.frames.iter().filter_map(|frame| staged(&frame.file));
        let of_test = exchange.test.as_ref().and_then(|test| self.file_of(test));
        let unchanged = !self.silent
            && indices.all(|index| self.edits[index].edits.is_empty())
            && of_test.is_none_or(|index| self.edits[index].edits.is_empty());
        let processes: Vec<u32> = match exchange.inside {
            true => exchange.process.into_iter().collect(),
            false => self.processes.clone(),
        };
        let clock = exchange.clock.filter(|_| exchange.inside);
        let observation = Observation::new(step, &exchange.response).of_processes(&processes, clock);
        for frame in &exchange.frames {
            // A file that no assertion is changed in is as it was: fixtures and helpers stand in such.
            let known = self.line_of(&frame.file, frame.line as usize);
            let line = known.map_or(frame.line as usize, |(_, line)| line);
            if !lines.insert((&frame.file, line)) {
                continue;
            }
            let approved = unchanged && exchange.test.as_ref().is_some_and(|test| passed.contains(test));
            let answer = Answer {
                observation: observation.clone(),
                test: exchange.test.clone(),
                request: request.clone(),
                run: self.runs,
                sequence: exchange.sequence,
                approved,
                inside: exchange.inside,
            };
            self.last.push(((frame.file.clone(), line), answer));
        }
    }
}

impl TestSet for CodeTests<'_> {
    async fn run(&mut self, round: Round<'_>, access: &mut SutAccess<'_>) -> Result<bool, StabilizeError> {
        self.commit();
        self.processes = access.processes();
        let started = Instant::now();
        let finished = match self.run_under(&Condition::default()) {
            // A run that was ended early says nothing about the tests.
            _ if self.is_over() => return Ok(false),
            finished => finished?,
        };
        self.count(&finished);
        self.notes.extend(finished.notes.iter().cloned());
        let exchanges = &finished.recording.exchanges;
        let requests = exchanges.len() as u64;
        if requests == 0
            && self.answers.is_empty()
            && let Some(error) = self.runner.no_exchange(&finished)
        {
            return Err(CodeError::from(error).into());
        }
        let passed = finished.run.results.iter().filter(|result| result.outcome == Outcome::Passed);
        let passed: BTreeSet<TestId> = passed.map(|result| result.id.clone()).collect();
        self.runs += 1;
        for exchange in exchanges {
            // What is done to the API elsewhere does nothing to one in the tests' own process.
            let step = if exchange.inside { Step::Rerun } else { round.step };
            self.remember(step, exchange, &passed);
        }
        self.cost.add(round.name, requests, started.elapsed());
        Ok(true)
    }

    fn moving(&self) -> Vec<String> {
        let flaky = decide(self, Policy::Disable).flaky.into_iter();
        flaky
            .filter(|flaky| !flaky.is_inferred())
            .map(|flaky| format!("{} {} {}", flaky.operation, flaky.status, flaky.place))
            .collect()
    }

    fn relabel(&mut self, steps: &[Step]) {
        let last = std::mem::take(&mut self.last);
        if steps.is_empty() {
            self.forgotten.clone_from(&last);
        }
        for (place, answer) in last {
            if answer.inside {
                self.last.push((place, answer));
                continue;
            }
            let answers = steps.iter().map(|step| (place.clone(), answer.under(*step)));
            self.last.extend(answers);
        }
    }

    fn recall(&mut self, steps: &[Step]) {
        self.commit();
        self.last = std::mem::take(&mut self.forgotten);
        self.relabel(steps);
    }

    fn know(&mut self, own: Vec<Fact>) {
        self.own = own;
    }

    fn command(&self) -> String {
        self.project.command.join(" ")
    }

    fn is_over(&self) -> bool {
        self.project.cancel.is_requested()
    }

    fn can_order(&self) -> bool {
        false
    }

    fn cost(&mut self) -> &mut Cost {
        &mut self.cost
    }
}

impl CodeTests<'_> {
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
                && one.observation.step == other.observation.step
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
