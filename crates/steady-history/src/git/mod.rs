//! git as a child process: it starts no programs that the repository configures, never prompts, never uses the network, and always ends.

pub(crate) mod blobs;
pub(crate) mod log;

use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::HistoryError;

/// How much of git's standard error is kept, in bytes.
const COMPLAINT: u64 = 4096;
/// How long git may take to exit after its output has ended.
const GRACE: Duration = Duration::from_secs(2);

/// Settings that keep git from starting programs, changing its output format, or using the network.
const SETTINGS: [&str; 8] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotepath=off",
    "color.ui=false",
    "diff.orderFile=/dev/null",
    "log.showRoot=true",
    "log.showSignature=false",
    "protocol.allow=never",
];
/// Variables that change the meaning of a path or of a diff.
const UNWANTED: [&str; 6] = [
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
];

/// Which repository git reads.
#[derive(Debug, Clone)]
pub(crate) struct Git {
    place: [OsString; 2],
}

impl Git {
    /// The repository that a folder is in.
    pub(crate) fn in_folder(folder: &Path) -> Self {
        Self { place: ["-C".into(), folder.into()] }
    }

    /// The repository in this git directory.
    pub(crate) fn of(git_dir: &Path) -> Self {
        Self { place: ["--git-dir".into(), git_dir.into()] }
    }

    /// Starts git; it is killed at `deadline`.
    pub(crate) fn start<S: AsRef<OsStr>>(
        &self,
        action: &'static str,
        arguments: impl IntoIterator<Item = S>,
        deadline: Instant,
    ) -> Result<Running, HistoryError> {
        let mut command = Command::new("git");
        command.arg("--no-pager").args(&self.place);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.arg(action).args(arguments);
        for variable in UNWANTED {
            command.env_remove(variable);
        }
        command
            .env("LC_ALL", "C")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_OPTIONAL_LOCKS", "0")
            // Otherwise git flushes after every commit, and both sides wake up for each.
            .env("GIT_FLUSH", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn().map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => HistoryError::NoGit,
            _ => HistoryError::Run { action, source },
        })?;
        Ok(Running::watch(child, action, deadline))
    }

    /// Runs git to its end.
    pub(crate) fn run<S: AsRef<OsStr>>(
        &self,
        action: &'static str,
        arguments: impl IntoIterator<Item = S>,
        deadline: Instant,
    ) -> Result<Finished, HistoryError> {
        let mut running = self.start(action, arguments, deadline)?;
        drop(running.stdin());
        let mut output = Vec::new();
        if let Some(mut stdout) = running.stdout() {
            stdout.read_to_end(&mut output).map_err(|source| HistoryError::Run { action, source })?;
        }
        let ended = running.finish()?;
        if ended.in_time { Ok(Finished { output, ended }) } else { Err(HistoryError::TooSlow { action }) }
    }
}

/// What git printed, and how it ended.
pub(crate) struct Finished {
    pub(crate) output: Vec<u8>,
    pub(crate) ended: Ended,
}

/// How git ended.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    /// The beginning of its standard error.
    pub(crate) complaint: String,
    /// False when it was killed at its deadline.
    pub(crate) in_time: bool,
}

impl Ended {
    /// The error of a git that failed.
    pub(crate) fn error(self, action: &'static str) -> HistoryError {
        let detail = match self.complaint.is_empty() {
            true => self.status.to_string(),
            false => self.complaint,
        };
        HistoryError::Failed { action, detail }
    }
}

/// A running git process; killed when dropped.
pub(crate) struct Running {
    action: &'static str,
    child: Arc<Mutex<Child>>,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    complaint: Option<JoinHandle<String>>,
    /// Dropped when git has ended; the thread returns whether the deadline came first.
    guard: Option<(Sender<()>, JoinHandle<bool>)>,
}

impl Running {
    fn watch(mut child: Child, action: &'static str, deadline: Instant) -> Self {
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let child = Arc::new(Mutex::new(child));
        let (alive, ended) = mpsc::channel();
        let watched = Arc::clone(&child);
        Self {
            action,
            child,
            stdin,
            stdout,
            complaint: stderr.map(|stderr| thread::spawn(move || beginning(stderr))),
            guard: Some((alive, thread::spawn(move || end_at(deadline, &ended, &watched)))),
        }
    }

    pub(crate) fn stdin(&mut self) -> Option<ChildStdin> {
        self.stdin.take()
    }

    pub(crate) fn stdout(&mut self) -> Option<ChildStdout> {
        self.stdout.take()
    }

    /// Ends it now.
    pub(crate) fn stop(&self) {
        kill(&self.child);
    }

    /// Waits for the end.
    pub(crate) fn finish(mut self) -> Result<Ended, HistoryError> {
        drop((self.stdin.take(), self.stdout.take()));
        let action = self.action;
        let status = self.wait().map_err(|source| HistoryError::Run { action, source })?;
        let late = self.guard.take().is_some_and(|(alive, guard)| {
            drop(alive);
            guard.join().unwrap_or(false)
        });
        let complaint = self.complaint.take().and_then(|reader| reader.join().ok()).unwrap_or_default();
        Ok(Ended { status, complaint, in_time: !late })
    }

    /// Polls, because the guard needs the lock to kill git meanwhile.
    fn wait(&self) -> io::Result<ExitStatus> {
        let start = Instant::now();
        let mut pause = Duration::from_micros(50);
        loop {
            let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            if start.elapsed() > GRACE {
                child.kill()?;
                return child.wait();
            }
            drop(child);
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.guard.is_some() {
            kill(&self.child);
        }
    }
}

/// Kills git at its deadline; returns whether it did.
fn end_at(deadline: Instant, ended: &Receiver<()>, child: &Mutex<Child>) -> bool {
    let late = ended.recv_timeout(deadline.saturating_duration_since(Instant::now()));
    let late = late == Err(RecvTimeoutError::Timeout);
    if late {
        kill(child);
    }
    late
}

fn kill(child: &Mutex<Child>) {
    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
    // Fails only when git has already exited; either way it is reaped afterwards.
    let _ = child.kill();
    let _ = child.wait();
}

/// Reads to the end, so git never blocks on a full pipe; keeps the beginning.
fn beginning(mut stream: impl Read) -> String {
    let mut kept = Vec::new();
    let _ = stream.by_ref().take(COMPLAINT).read_to_end(&mut kept);
    let _ = io::copy(&mut stream, &mut io::sink());
    let text = String::from_utf8_lossy(&kept);
    text.trim().replace(|character: char| character.is_control() && character != '\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A git that waits for input until it is killed, and its repository.
    fn waiting(folder: &Path, limit: Duration) -> (Running, ChildStdin, ChildStdout) {
        let git = Git::in_folder(folder);
        let deadline = Instant::now() + Duration::from_secs(600);
        git.run("init", ["--quiet", "."], deadline).unwrap();
        let mut running = git.start("cat-file", ["--batch"], Instant::now() + limit).unwrap();
        let (stdin, stdout) = (running.stdin().unwrap(), running.stdout().unwrap());
        (running, stdin, stdout)
    }

    #[test]
    fn git_is_ended_when_its_time_is_up() {
        let folder = tempfile::tempdir().unwrap();
        let (running, _stdin, mut stdout) = waiting(folder.path(), Duration::from_millis(20));
        assert_eq!(stdout.read_to_end(&mut Vec::new()).unwrap(), 0);
        assert!(!running.finish().unwrap().in_time);
    }

    #[test]
    fn git_is_ended_when_nobody_waits_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let (running, _stdin, mut stdout) = waiting(folder.path(), Duration::from_secs(600));
        let child = Arc::clone(&running.child);
        drop(running);
        assert_eq!(stdout.read_to_end(&mut Vec::new()).unwrap(), 0);
        assert!(child.lock().unwrap().try_wait().unwrap().is_some());
    }
}
