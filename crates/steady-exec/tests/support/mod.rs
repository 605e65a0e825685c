//! Runs the fixture suites for real, against a fresh API, with a recorder attached.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use steady_exec::{
    ExecError, Executor, FinishedRun, Frame, RecordError, Recorded, Selection, StateDir, TestCommand,
};
use steady_model::rerun::{Condition, Outcome, TestId};
use steady_process::Cancel;
use tempfile::TempDir;

/// A copy of a fixture suite and a fresh API.
pub struct Suite {
    home: TempDir,
    api: Api,
    words: Vec<String>,
}

/// `fixtures/api.py`, ended when it is dropped.
struct Api {
    child: Child,
    url: String,
}

impl Suite {
    pub fn new(name: &str, words: &[&str]) -> Self {
        let home = TempDir::new().unwrap();
        copy(&fixtures().join(name), &home.path().join("project"));
        let words = words.iter().map(|&word| word.to_owned()).collect();
        Self { home, api: Api::start(), words }
    }

    /// Gives the project installed packages: a folder with a link to each.
    pub fn with_modules(self, installed: &[PathBuf]) -> Self {
        let modules = self.project().join("node_modules");
        fs::create_dir(&modules).unwrap();
        for entry in installed.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(Result::unwrap) {
            // The first that has a package gives it.
            let _ = std::os::unix::fs::symlink(entry.path(), modules.join(entry.file_name()));
        }
        self
    }

    pub fn project(&self) -> PathBuf {
        self.home.path().join("project")
    }

    /// Runs the suite once; it leaves the project's files as they were. A run without a test or without an exchange is an error.
    pub fn record(&self) -> Result<FinishedRun, ExecError> {
        self.record_selected(Selection::All)
    }

    pub fn record_only(&self, tests: &[TestId]) -> Result<FinishedRun, ExecError> {
        self.record_selected(Selection::Only(tests))
    }

    fn record_selected(&self, selection: Selection<'_>) -> Result<FinishedRun, ExecError> {
        let project = self.project();
        let before = files(&project);
        let variables: Vec<(String, String)> = [
            ("SHOP_URL", self.api.url.as_str()),
            ("PYTHONDONTWRITEBYTECODE", "1"),
            ("CI", "1"),
            ("NO_COLOR", "1"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec();
        let command = TestCommand {
            variables: &variables,
            timeout: Some(Duration::from_secs(600)),
            ..TestCommand::new(&self.words)
        };
        let state_dir = StateDir::open(&self.home.path().join("steady"))?;
        let cancel = Cancel::new().unwrap();
        let mut executor = Executor::new(command, &project).recording(&state_dir, &cancel)?;
        let finished = executor.run(&state_dir, &Condition::default(), selection, &cancel)?;
        assert_eq!(files(&project), before);
        if finished.run.results.is_empty() {
            return Err(RecordError::no_tests(&finished.run).into());
        }
        match executor.no_exchange(&finished) {
            Some(error) if finished.recording.exchanges.is_empty() => Err(error.into()),
            _ => Ok(finished),
        }
    }

    /// The number of the one line of a file that holds a text.
    pub fn line(&self, file: &str, text: &str) -> u32 {
        let content = fs::read_to_string(self.project().join(file)).unwrap();
        let lines = (1..).zip(content.lines()).filter(|(_, line)| line.contains(text));
        let found: Vec<u32> = lines.map(|(number, _)| number).collect();
        assert_eq!(found.len(), 1, "`{text}` in {file}");
        found[0]
    }

    /// Where a frame is, as `file:line`. Python before 3.12 reports the line on which a call begins, later versions that of the method's
    /// name: a line that continues counts as the one after it.
    fn place(&self, frame: &Frame) -> String {
        let content = fs::read_to_string(self.project().join(&frame.file)).unwrap();
        let lines: Vec<&str> = content.lines().collect();
        let mut line = frame.line;
        while lines[line as usize - 1].ends_with('\\') {
            line += 1;
        }
        format!("{}:{line}", frame.file.display())
    }

    /// Whether a test made these exchanges, each asked for on the line of `file` that holds the text.
    pub fn check(&self, run: &FinishedRun, test: Option<&str>, file: &str, expected: &[(&str, &str, u16)]) {
        let made = exchanges(run, test);
        let recorded: Vec<(String, u16, String)> = made
            .iter()
            .map(|exchange| {
                let frame = exchange.frames.first().map(|frame| self.place(frame));
                let path = exchange.request.url.strip_prefix(&self.api.url).unwrap_or(&exchange.request.url);
                (
                    format!("{} {path}", exchange.request.method),
                    exchange.response.status,
                    frame.unwrap_or_default(),
                )
            })
            .collect();
        let expected: Vec<(String, u16, String)> = expected
            .iter()
            .map(|(request, text, status)| {
                ((*request).to_owned(), *status, format!("{file}:{}", self.line(file, text)))
            })
            .collect();
        assert_eq!(recorded, expected, "{test:?}: {}", run.run.excerpt);
    }
}

/// The exchanges of a test.
pub fn exchanges<'a>(run: &'a FinishedRun, test: Option<&str>) -> Vec<&'a Recorded> {
    run.recording
        .exchanges
        .iter()
        .filter(|exchange| exchange.test.as_ref().map(TestId::as_str) == test)
        .collect()
}

/// The JSON body of the first exchange of a test.
pub fn body(run: &FinishedRun, test: &str) -> serde_json::Value {
    let exchange = exchanges(run, Some(test))[0];
    serde_json::from_slice(exchange.response.body.as_bytes()).unwrap()
}

/// The ids of tests with an outcome, in their order.
pub fn tests(run: &FinishedRun, outcome: Outcome) -> Vec<&str> {
    let results = run.run.results.iter().filter(|result| result.outcome == outcome);
    let mut ids: Vec<&str> = results.map(|result| result.id.as_str()).collect();
    ids.sort_unstable();
    ids
}

pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// The packages of the Jest fixture, installed.
pub fn modules() -> PathBuf {
    steady_testkit::npm_project("record-node", &fixtures().join("jest")).unwrap()
}

/// An interpreter with what the Python fixtures import.
pub fn python() -> String {
    let requirements = fixtures().join("requirements.txt");
    steady_testkit::python_packages("record-python", &requirements).unwrap().display().to_string()
}

impl Api {
    fn start() -> Self {
        let mut child = Command::new("python3")
            .arg(fixtures().join("api.py"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        assert!(url.starts_with("http://"), "the API does not start: {url}");
        Self { child, url: url.trim().to_owned() }
    }
}

impl Drop for Api {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Every file of a project with its content, without build output.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if entry.file_name() == "target" || entry.file_name() == "node_modules" {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
