//! A project whose waits are tuned.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use steady_process::Cancel;
use steady_testkit::waits::{FILE, WaitsProject, WaitsRunner};
use steady_waits::tune::Settings;
use steady_waits::tune::drive::{
    PatchError, Project, ShrinkTarget, Shrunk, Target, TuneError, TuneEvent, Tuned, shrink, tune,
};
use tempfile::TempDir;

/// A project in a temporary folder.
pub struct Ground {
    pub home: TempDir,
    pub project: WaitsProject,
    command: Vec<String>,
    pub variables: Vec<(String, String)>,
    pub text: String,
    pub cancel: Cancel,
}

impl Ground {
    pub fn new(runner: WaitsRunner) -> Self {
        let home = TempDir::new().unwrap();
        let folder = home.path().join("project");
        fs::create_dir(&folder).unwrap();
        let project = WaitsProject::write(runner, &folder).unwrap();
        let (command, text) = (project.command(), project.text().unwrap());
        Self { home, project, command, variables: Vec::new(), text, cancel: Cancel::new().unwrap() }
    }

    pub fn state(&self) -> PathBuf {
        self.home.path().join("state")
    }

    pub fn project<'a>(&'a self, state: &'a Path) -> Project<'a> {
        Project {
            folder: self.project.folder(),
            command: &self.command,
            variables: &self.variables,
            results: &[],
            timeout: Some(Duration::from_secs(120)),
            time: None,
            narrow: true,
            state,
            cancel: &self.cancel,
        }
    }

    pub fn tune(
        &self,
        test: Option<&str>,
        loaded: u64,
        settings: &Settings,
        candidates: &[u64],
        tell: &mut dyn FnMut(TuneEvent),
    ) -> Result<Tuned, TuneError> {
        let patch =
            |ms| WaitsProject::with_wait(&self.text, ms).ok_or_else(|| PatchError::from("there is no wait"));
        let target = Target { path: Path::new(FILE), test, patch: &patch, loaded };
        let state = self.state();
        let before = self.files();
        let tuned = tune(&self.project(&state), &target, settings, candidates, tell);
        assert_eq!(self.files(), before, "the user's files are as they were");
        tuned
    }

    /// The same project with another file of tests.
    pub fn with_tests(runner: WaitsRunner, text: &str) -> Self {
        let ground = Self::new(runner);
        fs::write(ground.project.folder().join(FILE), text).unwrap();
        Self { text: text.to_owned(), ..ground }
    }

    /// Shortens waits, each given by its line, its value and the titles of its tests, in the order of the text.
    pub fn shrink(
        &self,
        waits: &[(usize, u64, &[String])],
        settings: &Settings,
        time: Option<Duration>,
        tell: &mut dyn FnMut(TuneEvent),
    ) -> Shrunk {
        let patches: Vec<_> =
            (0..waits.len()).map(|nth| move |text: &str, ms| with_wait(text, nth, ms)).collect();
        let mut targets = Vec::new();
        for ((line, ms, tests), patch) in waits.iter().zip(&patches) {
            let (path, column) = (Path::new(FILE), 1);
            targets.push(ShrinkTarget {
                path,
                line: *line,
                column,
                ms: *ms,
                tests,
                precedes_negative_assertion: false,
                patch,
                tidy: &|text| text,
            });
        }
        let state = self.state();
        let before = self.files();
        let project = Project { time, ..self.project(&state) };
        let shrunk = shrink(&project, &targets, settings, tell).unwrap();
        assert_eq!(self.files(), before, "the user's files are as they were");
        shrunk
    }

    /// The user's files and what is in them.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let entries = fs::read_dir(self.project.folder()).unwrap().map(|entry| entry.unwrap().path());
        let files = entries.filter(|path| !path.is_symlink());
        files.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
    }
}

/// A text with another value for one of its waits.
pub fn with_wait(text: &str, nth: usize, ms: u64) -> Result<String, PatchError> {
    WaitsProject::with_nth_wait(text, nth, ms).ok_or_else(|| PatchError::from("there is no such wait"))
}
