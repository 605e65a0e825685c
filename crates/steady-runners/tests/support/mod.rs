//! Runs the fixture projects with real runners and holds them to what steady-runners promises.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use steady_model::rerun::{Outcome, TestId, TestResult};
use steady_results::{Base, Sources};
use steady_runners::{Invocation, Order, Project, Recognised, Source, recognise};
use steady_testkit::Finished;
use tempfile::TempDir;

const LIMIT: Duration = Duration::from_secs(600);

/// A fixture project in a folder of its own, with a command.
pub struct Shop {
    home: TempDir,
    pub recognised: Recognised,
}

/// What one run of the command left.
pub struct Ran {
    pub finished: Finished,
    /// The tests that ran, in the order they ran.
    pub log: Vec<String>,
    /// What steady reads from the runner's report: id and outcome.
    pub results: Vec<(String, Outcome)>,
}

impl Shop {
    /// Copies the fixture project `name`.
    pub fn new(name: &str, command: &[&str]) -> Self {
        let home = TempDir::new().unwrap();
        let project = home.path().join("project");
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/projects").join(name);
        copy(&fixture, &project);
        let command: Vec<String> = command.iter().map(|&word| word.to_owned()).collect();
        let recognised = recognise(&command, &Project::at(&project));
        Self { home, recognised }
    }

    /// Gives the project installed JavaScript runners.
    pub fn with_modules(self, modules: PathBuf) -> Self {
        std::os::unix::fs::symlink(modules, self.project().join("node_modules")).unwrap();
        self
    }

    pub fn project(&self) -> PathBuf {
        self.home.path().join("project")
    }

    pub fn folder(&self) -> PathBuf {
        self.home.path().join("inject")
    }

    pub fn all(&self) -> Invocation {
        self.recognised.invocation(&self.folder())
    }

    pub fn selecting(&self, tests: &[&str]) -> Invocation {
        self.recognised.selecting(&self.folder(), &ids(tests)).unwrap()
    }

    /// Asks for a report and runs the command.
    pub fn run(&self, mut invocation: Invocation) -> Ran {
        let results = self.home.path().join("results");
        let log = self.home.path().join("log");
        let _ = fs::remove_dir_all(&results);
        let _ = fs::remove_file(&log);
        fs::create_dir_all(&results).unwrap();
        let report = self.recognised.runner.report(&mut invocation, &results);
        let patterns = report.sources.iter().filter_map(|source| match source {
            Source::Files(pattern) => Some(pattern.clone()),
            Source::Output => None,
        });
        let sources = Sources::new(patterns).unwrap();
        let base = Base::new(self.project());
        let before = sources.snapshot(&base);
        invocation.write_files().unwrap();
        let finished = steady_testkit::run(
            Command::new(&invocation.program)
                .args(&invocation.args)
                .current_dir(self.project())
                .envs(invocation.environment())
                .env("STEADY_TEST_LOG", &log)
                .env("CI", "1")
                .env("NO_COLOR", "1")
                .env_remove("CARGO_TARGET_DIR")
                .env_remove("NODE_OPTIONS")
                .env("PYTHONDONTWRITEBYTECODE", "1"),
            LIMIT,
        );
        let finished = finished.unwrap();
        let mut results = sources.collect(&base, &before).results;
        if report.sources.contains(&Source::Output) {
            results.extend(steady_results::read(finished.output.as_bytes(), &base).unwrap());
        }
        let results = results.into_iter().map(|TestResult { id, outcome, .. }| (id.to_string(), outcome));
        let log = fs::read_to_string(&log).unwrap_or_default();
        Ran { finished, log: log.lines().map(str::to_owned).collect(), results: results.collect() }
    }

    /// The tests that ran in this order, with these tests selected.
    pub fn ordered(&self, tests: &[&str], order: Order<'_>) -> Vec<String> {
        let mut invocation = self.selecting(tests);
        self.recognised.runner.order(&mut invocation, order).unwrap();
        self.run(invocation).log
    }

    /// What is reported is what was run, `failing` failed, and each of it can be selected by the reported id.
    pub fn reports_and_selects(&self, tests: &[&str], failing: &str, two: [&str; 2]) {
        let outcome = self.run(self.all());
        assert_eq!(sorted(&outcome.log), sorted(tests), "{}", outcome.finished.output);
        let reported: Vec<&str> = outcome.results.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(sorted(&reported), sorted(tests), "{}", outcome.finished.output);
        for (id, outcome) in &outcome.results {
            assert_eq!(*outcome, if id == failing { Outcome::Failed } else { Outcome::Passed }, "{id}");
        }
        let outcome = self.run(self.selecting(&two));
        assert_eq!(sorted(&outcome.log), sorted(&two), "{}", outcome.finished.output);
        let ran: Vec<&str> = outcome
            .results
            .iter()
            .filter(|(_, outcome)| *outcome != Outcome::Skipped)
            .map(|(id, _)| id.as_str())
            .collect();
        assert_eq!(sorted(&ran), sorted(&two));
    }

    /// Tests run in reverse when listed in reverse, and the one listed last runs last.
    pub fn keeps_listed_order(&self, tests: &[&str], mixed: [&str; 3]) {
        let reversed: Vec<&str> = tests.iter().rev().copied().collect();
        assert_eq!(self.ordered(tests, Order::Listed(&ids(&reversed))), reversed);
        let ran = self.ordered(&mixed, Order::Listed(&ids(&mixed)));
        assert_eq!(sorted(&ran), sorted(&mixed));
        assert_eq!(ran.last().map(String::as_str), Some(mixed[2]), "{ran:?}");
    }

    /// The same seed gives the same order, other seeds give others.
    pub fn shuffles_by_seed(&self, tests: &[&str]) {
        let shuffled = |seed| self.ordered(tests, Order::Shuffled(seed));
        let first = shuffled(1);
        assert_eq!(sorted(&first), sorted(tests));
        assert_eq!(first, shuffled(1));
        assert!((2..5).any(|seed| shuffled(seed) != first), "four seeds, one order: {first:?}");
    }
}

pub fn ids(tests: &[&str]) -> Vec<TestId> {
    tests.iter().map(|&test| test.into()).collect()
}

pub fn sorted(tests: &[impl AsRef<str>]) -> Vec<String> {
    let mut tests: Vec<String> = tests.iter().map(|test| test.as_ref().to_owned()).collect();
    tests.sort_unstable();
    tests
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
