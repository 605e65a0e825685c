//! A runner of test code that answers by a script.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use serde_json::Value;
use steady_assertions::Source;
use steady_exec::{Failure, FinishedRun, Frame, RecordError, Recorded, Recording, RequestLine};
use steady_model::rerun::{Condition, Ending, Outcome, Run, TestId, TestResult};
use steady_process::Cancel;

use super::project::{CodeError, CodeProject, TestCode};
use super::sandbox_runner::CodeRunner;
use crate::drive::fakes::response;

/// The one file of a fake project.
pub(super) const FILE: &str = "tests/test_shop.py";

/// What the runs of a fake runner were, shared with the test.
pub(super) type Conditions = Rc<RefCell<Vec<String>>>;

/// A run that is asked for.
pub(super) struct AskedRun<'a> {
    /// Which, from 1.
    pub number: usize,
    /// What is in the copy of the file.
    pub text: &'a str,
}

impl AskedRun<'_> {
    /// Whether the text makes an assertion, as a statement of its own and not as a comment.
    pub fn has(&self, statement: &str) -> bool {
        self.text.lines().any(|line| line.trim() == statement)
    }

    /// The line that has this code.
    fn line(&self, code: &str) -> u32 {
        let at = self.text.lines().position(|line| line.contains(code));
        u32::try_from(at.unwrap_or_else(|| panic!("no `{code}` in\n{}", self.text)) + 1).expect("a line")
    }
}

/// What a test does in a run.
#[derive(Debug, Default)]
pub(super) struct FakeTest {
    name: &'static str,
    /// The code of its calls, and the bodies they get.
    calls: Vec<(&'static str, Value)>,
    /// The code at which it fails.
    fails_at: Option<&'static str>,
    inside: bool,
}

impl FakeTest {
    pub fn new(name: &'static str) -> Self {
        Self { name, ..Self::default() }
    }

    /// The same with a call, by its code, and the body it gets.
    pub fn got(mut self, code: &'static str, body: Value) -> Self {
        self.calls.push((code, body));
        self
    }

    /// The same, failing at this code if `fails`.
    pub fn fails_if(mut self, fails: bool, code: &'static str) -> Self {
        self.fails_at = fails.then_some(code).or(self.fails_at);
        self
    }

    /// The same with the API in the test's own process.
    pub fn inside(mut self) -> Self {
        self.inside = true;
        self
    }

    fn id(&self) -> TestId {
        TestId::of([FILE, self.name])
    }

    fn frame(&self, run: &AskedRun<'_>, code: &str) -> Vec<Frame> {
        vec![Frame { file: FILE.into(), line: run.line(code) }]
    }

    fn exchanges(&self, run: &AskedRun<'_>) -> Vec<Recorded> {
        let recorded = |(index, (code, body)): (usize, &(&'static str, Value))| Recorded {
            test: Some(self.id()),
            frames: self.frame(run, code),
            sequence: u32::try_from(index + 1).expect("few calls"),
            request: RequestLine {
                method: "GET".to_owned(),
                url: "http://127.0.0.1:1/shop?page=1".to_owned(),
            },
            response: response(200, body),
            inside: self.inside,
            process: None,
            clock: None,
        };
        self.calls.iter().enumerate().map(recorded).collect()
    }
}

/// Runs tests that are scripted by the run and the text.
pub(super) struct FakeRunner<F> {
    text: String,
    runs: usize,
    /// Whether the preload shim reaches the tests' process.
    pub shim_reached: bool,
    pub conditions: Conditions,
    script: F,
}

impl<F: FnMut(&AskedRun<'_>) -> Vec<FakeTest>> FakeRunner<F> {
    pub fn new(text: &str, script: F) -> Self {
        let conditions = Conditions::default();
        Self { text: text.to_owned(), runs: 0, shim_reached: true, conditions, script }
    }
}

impl<F: FnMut(&AskedRun<'_>) -> Vec<FakeTest>> CodeRunner for FakeRunner<F> {
    fn write(&mut self, path: &Path, text: &str) -> Result<(), CodeError> {
        assert_eq!(path, Path::new(FILE));
        text.clone_into(&mut self.text);
        Ok(())
    }

    fn run(&mut self, condition: &Condition) -> Result<FinishedRun, CodeError> {
        self.runs += 1;
        self.conditions.borrow_mut().push(condition.to_string());
        let run = AskedRun { number: self.runs, text: &self.text };
        let tests = (self.script)(&run);
        let result = |test: &FakeTest| {
            let outcome = if test.fails_at.is_some() { Outcome::Failed } else { Outcome::Passed };
            TestResult { id: test.id(), outcome, milliseconds: None, message: None }
        };
        let failure =
            |test: &FakeTest| Some(Failure { test: test.id(), frames: test.frame(&run, test.fails_at?) });
        let recording = Recording {
            exchanges: tests.iter().flat_map(|test| test.exchanges(&run)).collect(),
            failures: tests.iter().filter_map(failure).collect(),
            ..Recording::default()
        };
        let run = Run {
            number: u32::try_from(self.runs).expect("few runs"),
            condition: condition.clone(),
            ending: Ending::Exited(0),
            milliseconds: 1.0,
            results: tests.iter().map(result).collect(),
            excerpt: String::new(),
        };
        Ok(FinishedRun { run, notes: Vec::new(), recording, shim_reached: self.shim_reached })
    }

    fn no_exchange(&self, finished: &FinishedRun) -> Option<RecordError> {
        Some(RecordError::no_tests(&finished.run))
    }
}

/// A project of one file.
pub(super) fn project<'a>(text: &str, command: &'a [String], cancel: &'a Cancel) -> CodeProject<'a> {
    let source = Source::read(FILE, text).expect("Python");
    CodeProject {
        folder: Path::new("."),
        command,
        variables: Vec::new(),
        timeout: Duration::from_secs(1),
        code: vec![TestCode { path: PathBuf::from(FILE), source }],
        state: Path::new(".steady"),
        cancel,
    }
}
