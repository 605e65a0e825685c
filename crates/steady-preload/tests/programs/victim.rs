//! A program under test that always ends.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use steady_preload::{Control, Preload};
use tempfile::TempDir;

/// Generous: machines are shared, and a shim that makes a program hang makes it hang for a day.
const LIMIT: Duration = Duration::from_secs(120);

/// One installed shim with a control of its own.
pub struct Shim {
    pub control: Control,
    pub preload: Preload,
    pub folder: TempDir,
}

impl Shim {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let preload = Preload::install(folder.path()).unwrap();
        let control = Control::create(folder.path()).unwrap();
        Self { control, preload, folder }
    }

    /// Starts a program that follows the clock.
    pub fn start(&self, command: &mut Command) -> Victim {
        Victim::start(command.envs(self.preload.environment(&self.control, None)))
    }
}

/// A running program, killed with its children when dropped.
pub struct Victim {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Option<JoinHandle<String>>,
}

impl Victim {
    pub fn start(command: &mut Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut errors = child.stderr.take().unwrap();
        let (sender, lines) = channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let errors = thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = errors.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        Self { child, input, lines, errors: Some(errors) }
    }

    /// Sends one line and returns the lines of the answer, up to `end`.
    pub fn ask(&mut self) -> Vec<Vec<String>> {
        self.input.as_mut().unwrap().write_all(b"\n").unwrap();
        self.answer()
    }

    /// The words of each line up to `end`.
    pub fn answer(&mut self) -> Vec<Vec<String>> {
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(LIMIT) {
                Ok(line) if line == "end" => return lines,
                Ok(line) => lines.push(line.split_whitespace().map(str::to_owned).collect()),
                Err(error) => panic!("{error} after {lines:?}; it said: {}", self.kill()),
            }
        }
    }

    /// Waits for the program's own end, which must be a success with nothing said on standard error.
    pub fn finish(mut self) {
        self.input = None;
        // The output is closed when the program ends.
        while self.lines.recv_timeout(LIMIT).is_ok() {}
        let said = self.errors.take().map(|errors| errors.join().unwrap()).unwrap_or_default();
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}: {said}");
        assert_eq!(said, "");
    }

    fn kill(&mut self) -> String {
        // Once it has been waited for, its number may be another process's.
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
            let _ = self.child.wait();
        }
        self.errors.take().and_then(|errors| errors.join().ok()).unwrap_or_default()
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A file of `tests/victims`.
pub fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/victims").join(name)
}

pub fn python(name: &str) -> Command {
    let mut command = Command::new("python3");
    command.arg(source(name));
    command
}

pub fn node(name: &str) -> Command {
    let mut command = Command::new("node");
    command.arg(source(name));
    command
}

/// The JVM compiles a single file itself.
pub fn java(name: &str) -> Command {
    let mut command = Command::new("java");
    command.arg(source(name));
    command
}

/// A Rust program, compiled when first asked for.
pub fn rust(name: &str) -> Command {
    static COMPILED: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut compiled = COMPILED.lock().unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    Command::new(compiled.entry(name.to_owned()).or_insert_with(|| compile(name, folder, &[])))
}

/// Compiles a Rust program; its file.
pub fn compile(name: &str, folder: &Path, options: &[&str]) -> PathBuf {
    let program = folder.join(name).with_extension("");
    let status = Command::new("rustc")
        .args(["--edition", "2024", "-o"])
        .args([&program, &source(name)])
        .args(options)
        .status()
        .unwrap();
    assert!(status.success());
    program
}
