//! One fluent builder for every test: what is given, and what came of it.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use regex::Regex;
use serde_json::Value;
use tempfile::TempDir;

/// A call of `steady` in an empty folder.
pub struct Invocation {
    folder: TempDir,
    command: Command,
}

impl Invocation {
    /// `steady` with these arguments and an environment without steady's own variables.
    pub fn new<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Self {
        Self::within(tempfile::tempdir().unwrap(), arguments)
    }

    /// The same in a folder that an earlier call was made in.
    pub fn within<S: AsRef<OsStr>>(folder: TempDir, arguments: impl IntoIterator<Item = S>) -> Self {
        let mut command = steady();
        command.args(arguments).current_dir(folder.path()).env_clear().env("COLUMNS", "100");
        Self { folder, command }
    }

    /// Puts a file into the folder.
    pub fn file(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// Puts the files of another folder into this one.
    pub fn files_of(mut self, project: &Path) -> Self {
        for name in files(project) {
            if project.join(&name).is_file() {
                self = self.file(name.to_str().unwrap(), fs::read(project.join(&name)).unwrap());
            }
        }
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// The folder it runs in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Runs to the end.
    pub fn run(mut self) -> Outcome {
        let before = files(self.folder.path());
        let output = self.command.stdin(Stdio::null()).output().unwrap();
        let text = |bytes: Vec<u8>| normalise(&String::from_utf8(bytes).unwrap(), self.folder.path());
        Outcome {
            code: output.status.code(),
            raw_stdout: String::from_utf8(output.stdout.clone()).unwrap(),
            stdout: text(output.stdout),
            stderr: without_progress(&text(output.stderr)),
            written: files(self.folder.path()).into_iter().filter(|file| !before.contains(file)).collect(),
            folder: self.folder,
        }
    }

    /// Starts it and lets the test talk to the process; the folder lives as long as the second value.
    pub fn start(mut self) -> (Child, TempDir) {
        let child =
            self.command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        (child, self.folder)
    }
}

/// `steady`, with signals as a terminal leaves them: under `nohup` SIGHUP is ignored, and steady keeps it so.
fn steady() -> Command {
    let steady = env!("CARGO_BIN_EXE_steady");
    if cfg!(target_os = "linux") {
        let mut command = Command::new("/usr/bin/env");
        command.args(["--default-signal=INT,TERM,HUP", steady]);
        command
    } else {
        Command::new(steady)
    }
}

/// Whether `steady rerun` has a line of progress to print depends on how busy the machine is.
fn without_progress(stderr: &str) -> String {
    stderr.split_inclusive('\n').filter(|line| !line.starts_with("rerunning: ")).collect()
}

/// How a call ended.
pub struct Outcome {
    code: Option<i32>,
    raw_stdout: String,
    /// What was printed, with durations, ports and paths normalised.
    pub stdout: String,
    /// What was said, normalised likewise.
    pub stderr: String,
    written: Vec<PathBuf>,
    folder: TempDir,
}

impl Outcome {
    /// It ended with this exit code.
    #[track_caller]
    pub fn exits_with(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// It printed exactly this.
    #[track_caller]
    pub fn prints(self, stdout: &str) -> Self {
        assert_eq!(self.stdout, stdout, "stderr:\n{}", self.stderr);
        self
    }

    /// It said exactly this on stderr.
    #[track_caller]
    pub fn says(self, stderr: &str) -> Self {
        assert_eq!(self.stderr, stderr, "stdout:\n{}", self.stdout);
        self
    }

    /// It left exactly these new files.
    #[track_caller]
    pub fn writes(self, names: &[&str]) -> Self {
        let expected: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
        assert_eq!(self.written, expected);
        self
    }

    /// The new files and folders.
    pub fn written(&self) -> Vec<String> {
        self.written.iter().map(|path| path.to_str().unwrap().to_owned()).collect()
    }

    /// Whether this is a file rather than a folder.
    pub fn is_file(&self, name: &str) -> bool {
        self.folder.path().join(name).is_file()
    }

    /// The folder it ran in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The folder, for another call in it.
    pub fn into_folder(self) -> TempDir {
        self.folder
    }

    /// The JSON objects on stdout, one per line.
    pub fn events(&self) -> Vec<Value> {
        self.raw_stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The event before the last, which holds what the command found; it is of this kind.
    #[track_caller]
    pub fn result(&self, kind: &str) -> Value {
        let events = self.events();
        let [.., result, last] = &events[..] else { panic!("{}", self.stdout) };
        assert_eq!(
            (&result["event"], &last["event"]),
            (&kind.into(), &"run_finished".into()),
            "{}",
            self.stdout
        );
        result.clone()
    }

    /// A file it left, normalised.
    pub fn read(&self, name: &str) -> String {
        normalise(&fs::read_to_string(self.folder.path().join(name)).unwrap(), self.folder.path())
    }
}

/// What differs from run to run becomes a placeholder.
fn normalise(text: &str, folder: &Path) -> String {
    let patterns = [
        (r"127\.0\.0\.1:\d+", "127.0.0.1:[PORT]"),
        (r"\(\d+ ms\)", "([TIME])"),
        (r"in \d+\.\d\d s \([\d,]+ tests/s\)", "in [TIME]"),
        (r#"time="[\d.]+""#, r#"time="[TIME]""#),
    ];
    let text = text.replace(folder.to_str().unwrap(), "[FOLDER]");
    patterns.iter().fold(text, |text, (pattern, placeholder)| {
        Regex::new(pattern).unwrap().replace_all(&text, *placeholder).into_owned()
    })
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path.clone());
            }
            found.push(path.strip_prefix(folder).unwrap().to_owned());
        }
    }
    found.sort();
    found
}
